import type { Joining } from '@codelab/bus';
import type { DoubtfulGives } from '../delivery/doubtful-gives.js';
import type { Receiver } from '../delivery/give-calls.js';
import { SEED_TOOLS } from '../opening/callable-tools.js';
import type { DeclaredTools } from '../opening/shared-tools.js';

/** Why a connection ends with its reading: somebody said that the session was deleted, it is gone without a word, or we have a fault that only a new connection ends. */
export type ReaderEnd = 'removed' | 'lost' | 'fault';

/** Who reads. */
export interface ReaderOptions {
  readonly connection: string;
  /** Absent for a seed client. */
  readonly hello?: { readonly clientId: string; readonly protocolVersion: string; readonly capabilities: ReadonlySet<string> };
  /** Absent for a seed client, and for one that executes nothing. */
  readonly tools?: DeclaredTools;
  /** Names of tools that it has said since that it has, or had; a call of one that it has no more it answers itself. */
  readonly alsoCallable?: ReadonlySet<string>;
  /** JSON text of `hello.workspace`. */
  readonly workspace?: string;
  /** Hears when there is nothing more to read on this connection. */
  readonly owner: { end(why: ReaderEnd): void };
}

const NONE: ReadonlySet<string> = new Set();

/** The tools that a client can be sent. */
export const callableBy = ({ hello, tools, alsoCallable }: ReaderOptions): ReadonlySet<string> =>
  hello === undefined ? SEED_TOOLS : (alsoCallable ?? tools?.callable ?? NONE);

/** Who reads, as calls are written to it. */
export const receiverOf = (options: ReaderOptions, doubts: DoubtfulGives): Receiver => {
  const { connection, hello } = options;
  const tools = callableBy(options);
  return hello === undefined
    ? { audience: 'seed', name: `seed:${connection}`, tools, doubts }
    : { audience: 'hello', name: hello.clientId, clientId: hello.clientId, tools, doubts };
};

/** What an executor says of itself, and says again when the session makes it the executor; absent for one that executes nothing. */
export const joiningOf = ({ hello, tools, workspace }: Pick<ReaderOptions, 'hello' | 'tools' | 'workspace'>): Joining | undefined =>
  hello && tools && { clientId: hello.clientId, tools: tools.text, protocolVersion: hello.protocolVersion, workspace };
