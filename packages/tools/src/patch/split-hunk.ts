import type { Hunk, PatchLine } from './patch.js';

/** The old side of lines, as context: what is left of a change that is not made. */
export const dropChanges = (lines: readonly PatchLine[]): readonly PatchLine[] =>
  lines.flatMap((line) => (line.sign === '+' ? [] : line.sign === '-' ? [{ ...line, sign: ' ' as const }] : [line]));

/**
 * Takes a hunk apart at the context between its changes, one change to each part. The lines of the parts, one after the other, are exactly
 * those of the hunk, so that each part can be made, dropped or edited by itself and the hunk put together again. A hunk with one change is
 * its only part.
 */
export function splitHunk(hunk: Hunk): readonly Hunk[] {
  const parts: Hunk[] = [];
  let [oldLine, newLine, start] = [firstLine(hunk.oldStart, hunk.oldLines), firstLine(hunk.newStart, hunk.newLines), 0];
  for (const end of [...cutsOf(hunk.lines), hunk.lines.length]) {
    const lines = hunk.lines.slice(start, end);
    const oldLines = lines.filter(({ sign }) => sign !== '+').length;
    const newLines = lines.filter(({ sign }) => sign !== '-').length;
    parts.push({
      ...hunk,
      oldStart: oldLines === 0 ? oldLine - 1 : oldLine,
      oldLines,
      newStart: newLines === 0 ? newLine - 1 : newLine,
      newLines,
      lines,
    });
    [oldLine, newLine, start] = [oldLine + oldLines, newLine + newLines, end];
  }
  return parts;
}

/** A side without lines is numbered by the line before it. */
const firstLine = (start: number, lines: number): number => (lines === 0 ? start + 1 : start);

/** Where one part ends and the next begins: in the middle of each run of context that stands between two changes. */
function cutsOf(lines: readonly PatchLine[]): readonly number[] {
  const cuts: number[] = [];
  let lastChange = -1;
  for (const [index, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    if (lastChange !== -1 && index > lastChange + 1) cuts.push(Math.ceil((lastChange + 1 + index) / 2));
    lastChange = index;
  }
  return cuts;
}
