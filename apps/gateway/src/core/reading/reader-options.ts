import type { Joining } from '@codelab/bus';
import type { Receiver } from '../delivery/give-calls.js';
import { SEED_TOOLS } from '../opening/callable-tools.js';

/** Who reads. */
export interface ReaderOptions {
  readonly connection: string;
  /** Absent for a seed client. */
  readonly hello?: { readonly clientId: string; readonly protocolVersion: string; readonly capabilities: ReadonlySet<string> };
  /** The tools that a client which said `hello` can be sent. */
  readonly tools?: ReadonlySet<string>;
  /** What is said again when the session makes this client its executor; absent for one that executes nothing. */
  readonly joining?: Joining;
  /** Hears when the session was deleted, or when we have a fault that only a new connection ends. */
  readonly owner: { end(why: 'removed' | 'fault'): void };
}

/** Who reads, as calls are written to it. */
export const receiverOf = ({ connection, hello, tools }: ReaderOptions): Receiver =>
  hello === undefined
    ? { audience: 'seed', name: `seed:${connection}`, tools: tools ?? SEED_TOOLS }
    : { audience: 'hello', name: hello.clientId, clientId: hello.clientId, tools: tools ?? new Set() };
