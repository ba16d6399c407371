import type { ParsedPatch, Review } from '@codelab/tools/patch';

/**
 * The human at the client, as far as tools talk to one. A rejection with `ToolFailure` is the answer of the call, for example
 * `DENIED_BY_POLICY` where nobody is there. The signal says that nobody waits for the answer any more.
 */
export interface Ask {
  /** Resolves to one of the actions. */
  promptUser(message: string, actions: readonly string[], signal: AbortSignal): Promise<string>;
  reviewPatch(patch: ParsedPatch, message: string | undefined, signal: AbortSignal): Promise<Review>;
}
