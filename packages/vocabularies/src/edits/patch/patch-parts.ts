/** A line of a hunk as a model wrote it. */
export interface HunkLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
  /** It had no sign of its own: the blank before it may be lost, or not. */
  readonly unsigned?: boolean;
  /** `\ No newline at end of file` follows it. */
  readonly noNewline?: boolean;
}

export interface PatchHunk {
  /** The old file's line in its header, from 0; absent without numbers. */
  readonly at?: number | undefined;
  /** Lines that stand above it in the file: what follows `@@` where numbers are missing. */
  readonly anchors: readonly string[];
  /** It is the end of the file. */
  readonly isLast: boolean;
  readonly lines: readonly HunkLine[];
}

/** What a patch does to one file; paths as the model wrote them, without `a/` and `b/`. */
export type PatchOperation =
  | { readonly kind: 'update'; readonly path: string; readonly hunks: readonly PatchHunk[] }
  | { readonly kind: 'move'; readonly path: string; readonly to: string; readonly hunks: readonly PatchHunk[] }
  | { readonly kind: 'add'; readonly path: string; readonly lines: readonly HunkLine[] }
  | { readonly kind: 'delete'; readonly path: string; readonly hunks: readonly PatchHunk[] };

/** The patch can't be read, or doesn't fit; the message is for a model. */
export class PatchRefused extends Error {}
