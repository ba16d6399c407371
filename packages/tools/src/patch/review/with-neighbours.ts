import type { Hunk, PatchLine } from '../patch.js';
import { linesOfPart, type ReviewPart } from './review.js';

/** Context lines of the neighbours that are shown around a part of a hunk. */
const BORROWED_LINES = 3;

/** A part of a hunk as it is left, with the context that its neighbours of the same chunk hold: for reading only. None where it has no lines. */
export function withNeighbours(parts: readonly ReviewPart[], index: number): Hunk | undefined {
  const part = parts[index]!;
  if (part.hunk === undefined) return undefined;
  const neighbour = (at: number): readonly PatchLine[] => (parts[at]?.chunk === part.chunk ? (parts[at].hunk?.lines ?? []) : []);
  const [previous, next] = [neighbour(index - 1), neighbour(index + 1)];
  const before = previous.slice(Math.max(previous.findLastIndex(({ sign }) => sign !== ' ') + 1, previous.length - BORROWED_LINES));
  const end = next.findIndex(({ sign }) => sign !== ' ');
  const after = next.slice(0, Math.min(end === -1 ? next.length : end, BORROWED_LINES));
  return {
    ...part.hunk,
    oldStart: part.hunk.oldStart - before.length,
    newStart: part.hunk.newStart - before.length,
    lines: [...before, ...linesOfPart(part), ...after],
  };
}
