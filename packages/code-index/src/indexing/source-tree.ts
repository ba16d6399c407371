/** A file that is there. */
export interface SourceFile {
  /** Relative to the workspace. */
  readonly path: string;
  readonly size: number;
  /** Last change, Unix time in microseconds. */
  readonly mtime: number;
}

/** The files that may be indexed: whoever implements it keeps what is hidden out, follows no link, and lets others have their turn. */
export interface SourceTree {
  /** All of them, in no special order. */
  walk(signal: AbortSignal): AsyncIterable<SourceFile>;
  /** Opens the tree to read many files of it, best in the order of their paths. */
  read<T>(use: (reader: SourceReader) => Promise<T>): Promise<T>;
}

/** What reads files of the tree while it is open. */
export interface SourceReader {
  /** `undefined` for what is no file of the tree, or is gone, or too large. */
  file(path: string): { readonly content: Buffer; readonly mtime: number; readonly size: number } | undefined;
}
