import type { Joining } from '@codelab/bus';

/** Who reads. */
export interface ReaderOptions {
  readonly connection: string;
  /** Absent for a seed client. */
  readonly hello?: { readonly clientId: string; readonly protocolVersion: string; readonly capabilities: ReadonlySet<string> };
  /** The tools that a client which said `hello` can be sent. */
  readonly tools?: ReadonlySet<string>;
  /**
   * What is said again when the session makes this client its executor; absent for one that executes nothing. Its `tools` are held in the
   * shared texts: the reader releases them.
   */
  readonly joining?: Joining;
  /** Hears when the session was deleted, or when we have a fault that only a new connection ends. */
  readonly owner: { end(why: 'removed' | 'fault'): void };
}
