import { listChunks } from '../format-patch.js';
import type { FilePatch, Hunk, ParsedPatch, PatchLine } from '../patch.js';
import type { Review } from './review.js';

/** A review names what the patch doesn't have, or changes what must stay; the message is a sentence. */
export class ReviewError extends Error {
  override readonly name = 'ReviewError';
}

const fail = (message: string): never => {
  throw new ReviewError(message);
};

const oldSide = (lines: readonly PatchLine[]): string =>
  JSON.stringify(lines.filter(({ sign }) => sign !== '+').map(({ text, noNewline }) => [text, noNewline]));

/** A hunk with other lines, counted anew. */
const withLines = (hunk: Hunk, lines: readonly PatchLine[], number: number): Hunk => {
  if (oldSide(lines) !== oldSide(hunk.lines)) fail(`Chunk ${String(number)} was edited on its old side, which must stay what the file is.`);
  return { ...hunk, lines, newLines: lines.filter(({ sign }) => sign !== '-').length };
};

/** Numbers the new side of the hunks that are left, as if the others had never been. */
const renumber = (hunks: readonly Hunk[]): Hunk[] => {
  let shift = 0;
  return hunks.map((hunk) => {
    const first = (hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart) + shift;
    shift += hunk.newLines - hunk.oldLines;
    return { ...hunk, newStart: hunk.newLines === 0 ? first - 1 : first };
  });
};

/** A chunk whose changes were all edited away is no hunk any more. */
const changes = ({ lines }: Hunk): boolean => lines.some(({ sign }) => sign !== ' ');

/** A deletion that leaves lines is a change. */
const settleKind = (file: FilePatch, leaves: boolean): FilePatch =>
  file.kind === 'delete' && leaves ? { kind: 'modify', oldPath: file.oldPath!, newPath: file.oldPath!, hunks: file.hunks } : file;

/**
 * What a human kept of a patch: the chunks chosen, with the lines edited. It applies wherever the whole patch applied, for each chunk keeps
 * its old side and loses only neighbours.
 *
 * @throws ReviewError if the choice names what is not there or changes the old side
 */
export function filterPatch(patch: ParsedPatch, { chunks, editedChunks = [] }: Review): ParsedPatch {
  const all = listChunks(patch);
  const chosen = new Set(chunks);
  const edits = new Map(editedChunks.map(({ chunk, lines }) => [chunk, lines]));
  const known = (number: number): boolean => Number.isInteger(number) && number >= 1 && number <= all.length;
  for (const number of [...chosen, ...edits.keys()])
    if (!known(number)) fail(`There is no chunk ${String(number)}; the patch has ${String(all.length)}.`);
  for (const number of edits.keys()) if (!chosen.has(number)) fail(`Chunk ${String(number)} was edited but not chosen.`);
  const kept = all.filter(({ number }) => chosen.has(number));
  return patch.flatMap((file) => {
    const own = kept.filter((chunk) => chunk.file === file);
    if (own.length === 0) return [];
    const hunks = own.flatMap(({ hunk, number }) => {
      const lines = edits.get(number);
      if (hunk === undefined) return lines === undefined ? [] : fail(`Chunk ${String(number)} has no lines to edit.`);
      return [lines === undefined ? hunk : withLines(hunk, lines, number)];
    });
    const filtered = settleKind(
      { ...file, hunks: renumber(hunks.filter(changes)) },
      hunks.some(({ newLines }) => newLines > 0),
    );
    return filtered.kind === 'modify' && filtered.newMode === undefined && filtered.hunks.length === 0 ? [] : [filtered];
  });
}
