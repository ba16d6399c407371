import type { ParsedPatch, PatchLine } from '@codelab/tools';

/** What a human made of a patch. */
export interface Review {
  readonly action: 'apply' | 'cancel';
  /** The chunks to keep, by the numbers of `listChunks`. */
  readonly chunks: readonly number[];
  /** Chunks whose lines the human changed. Their old side, context and removed lines, stays what it was; they must be among `chunks`. */
  readonly editedChunks?: readonly { readonly chunk: number; readonly lines: readonly PatchLine[] }[];
}

/**
 * The human at the client, as far as tools talk to one. A rejection with `ToolFailure` is the answer of the call, for example
 * `DENIED_BY_POLICY` where nobody is there. The signal says that nobody waits for the answer any more.
 */
export interface Ask {
  /** Resolves to one of the actions. */
  promptUser(message: string, actions: readonly string[], signal: AbortSignal): Promise<string>;
  reviewPatch(patch: ParsedPatch, message: string | undefined, signal: AbortSignal): Promise<Review>;
}
