import { chat } from './chat/index.js';
import type { Dialect } from './dialect.js';
import { messages } from './messages/index.js';
import { responses } from './responses/index.js';

const ALL = { chat, messages, responses } satisfies Record<string, Dialect>;

/** The dialects that callers speak, named by their endpoints. */
export type DialectName = keyof typeof ALL;

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = ALL;

export const DIALECT_NAMES = Object.keys(ALL) as readonly DialectName[];
