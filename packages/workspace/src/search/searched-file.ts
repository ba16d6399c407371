/** A text file that is searched. */
export interface SearchedFile {
  /** Relative to the workspace. */
  readonly path: string;
  /** Without a byte order mark; never empty, and without NUL. */
  readonly content: Buffer;
  /** Last change, Unix time in milliseconds; 0 where it is not known. */
  readonly mtimeMs: number;
}

const MARK = Buffer.from('\ufeff');

/** A file as it is searched; `undefined` for one that is empty or binary. */
export function toSearchedFile(path: string, bytes: Buffer, mtimeMs = 0): SearchedFile | undefined {
  const content = bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes;
  return content.length === 0 || content.includes(0) ? undefined : { path, content, mtimeMs };
}
