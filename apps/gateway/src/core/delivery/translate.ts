import type { LoggedFrame } from '@codelab/bus';
import type { Audience, Delivery } from './delivery.js';
import { translateForHello } from './translate-for-hello.js';
import { translateForSeed } from './translate-for-seed.js';

const NONE: ReadonlySet<string> = new Set();

/** What becomes of a frame of the log for a client. @param hello absent for a seed client */
export const translate = (
  frame: LoggedFrame,
  hello: Pick<Audience, 'capabilities'> | undefined,
  { role, tools, openCalls }: Omit<Audience, 'capabilities'>,
): Delivery =>
  (hello === undefined ? translateForSeed : translateForHello)(frame, {
    role,
    capabilities: hello?.capabilities ?? NONE,
    tools,
    openCalls,
  });
