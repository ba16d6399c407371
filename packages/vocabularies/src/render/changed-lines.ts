import type { Place } from '../edits/locate.js';
import { numberLines, shownLines } from './shown-lines.js';

/** Lines shown before and after what changed. */
const AROUND = 3;
const MAX_LINES = 40;

/** Numbered lines of the new content around the place that changed first, at most 40. */
export function linesAround(content: string, { start, end }: Place): string[] {
  const lines = shownLines(content);
  const first = countLineEnds(content, start);
  const last = countLineEnds(content, Math.max(start, end - 1));
  const from = Math.max(0, first - AROUND);
  return numberLines(lines.slice(from, Math.min(last + AROUND + 1, from + MAX_LINES)), from + 1);
}

const countLineEnds = (content: string, before: number): number => {
  let count = 0;
  for (let at = content.indexOf('\n'); at !== -1 && at < before; at = content.indexOf('\n', at + 1)) count += 1;
  return count;
};
