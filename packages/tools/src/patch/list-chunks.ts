import type { FilePatch, Hunk, ParsedPatch } from './patch.js';

/** What a reviewer takes or leaves: one hunk; or a whole file whose patch has none (a rename, a mode, an empty file). */
export interface Chunk {
  /** Counts from 1 over all files of the patch. */
  readonly number: number;
  readonly file: FilePatch;
  readonly hunk?: Hunk;
}

/** The chunks of a patch, numbered in the order of its text (docs/specification/tools.md#apply_patch_review). */
export const listChunks = (patch: ParsedPatch): readonly Chunk[] =>
  patch
    .flatMap((file): Omit<Chunk, 'number'>[] => (file.hunks.length === 0 ? [{ file }] : file.hunks.map((hunk) => ({ file, hunk }))))
    .map((chunk, index) => ({ number: index + 1, ...chunk }));
