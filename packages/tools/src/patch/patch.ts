/** One line of a hunk, without its terminator. */
export interface PatchLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
  /** The line is the last of its file and has no newline. */
  readonly noNewline?: true;
}

/** One `@@` part of a file's patch. Line numbers count from 1; with no lines on a side, the number is that of the line before. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** What stands after the second `@@`; decides nothing. */
  readonly section: string;
  readonly lines: readonly PatchLine[];
}

/** What a patch does to one file. Paths are relative and `/`-separated, as the patch has them: whoever uses them checks them. */
export interface FilePatch {
  readonly kind: 'modify' | 'create' | 'delete' | 'rename' | 'copy';
  /** Absent for `create`. */
  readonly oldPath?: string;
  /** Absent for `delete`. */
  readonly newPath?: string;
  /** Git's mode of the file afterwards, if the patch names one: only regular files pass the parser. */
  readonly newMode?: '100644' | '100755';
  /** Likewise before: known for a change of mode and a deletion. */
  readonly oldMode?: '100644' | '100755';
  readonly hunks: readonly Hunk[];
}

/** A whole patch, in the order of its text. */
export type ParsedPatch = readonly FilePatch[];

/** Every path that a patch names, once. */
export const pathsOfPatch = (patch: ParsedPatch): readonly string[] => [
  ...new Set(patch.flatMap(({ oldPath, newPath }) => [oldPath, newPath].filter((path) => path !== undefined))),
];
