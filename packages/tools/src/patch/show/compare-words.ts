import { diffWordsWithSpace } from 'diff';
import type { DiffLine } from './read-diff.js';

/** Longer lines are not compared word by word. */
const MAX_COMPARED_CHARACTERS = 2_000;

/** A stretch of a line; `changed`: the other side of the change has something else there. */
export interface WordPiece {
  readonly text: string;
  readonly changed: boolean;
}

/** Removed lines and the added ones that follow them, as places among the lines of a hunk: `[start, middle)` is removed, `[middle, end)` added. */
export interface ChangeRun {
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

/** The runs of changes, in their order. */
export function changeRuns(lines: readonly DiffLine[]): readonly ChangeRun[] {
  const runs: ChangeRun[] = [];
  for (let start = 0; start < lines.length;) {
    if (lines[start]!.kind === 'context') {
      start += 1;
      continue;
    }
    const middle = endOf(lines, start, 'removed');
    const end = endOf(lines, middle, 'added');
    runs.push({ start, middle, end });
    start = end;
  }
  return runs;
}

function endOf(lines: readonly DiffLine[], start: number, kind: DiffLine['kind']): number {
  let end = start;
  while (lines[end]?.kind === kind) end += 1;
  return end;
}

/** The line that a changed one is compared with, in a run with as many added lines as removed ones. */
export function partnerOf({ start, middle, end }: ChangeRun, index: number): number | undefined {
  if (middle - start !== end - middle) return undefined;
  return index < middle ? middle + (index - start) : start + (index - middle);
}

/**
 * Pairs each run of removed lines with the added ones after it, one to one, and marks the words that differ: by the index of the line. Lines
 * that have little in common are left out.
 */
export function compareWords(lines: readonly DiffLine[]): ReadonlyMap<number, readonly WordPiece[]> {
  const marked = new Map<number, readonly WordPiece[]>();
  for (const run of changeRuns(lines)) {
    for (let index = run.start; index < run.middle; index += 1) {
      const partner = partnerOf(run, index);
      const pair = partner === undefined ? undefined : comparePair(lines[index]!.text, lines[partner]!.text);
      if (!pair) continue;
      marked.set(index, pair.before);
      marked.set(partner!, pair.after);
    }
  }
  return marked;
}

/** Marks the words that differ between two lines; nothing where they have little in common. */
export function comparePair(
  before: string,
  after: string,
): { readonly before: readonly WordPiece[]; readonly after: readonly WordPiece[] } | undefined {
  if (before.length + after.length > MAX_COMPARED_CHARACTERS) return undefined;
  const parts = diffWordsWithSpace(before, after);
  const kept = parts.filter((part) => !part.added && !part.removed).reduce((sum, part) => sum + part.value.trim().length, 0);
  if (kept * 3 < Math.max(before.trim().length, after.trim().length)) return undefined;
  const side = (skip: 'added' | 'removed'): readonly WordPiece[] =>
    parts.filter((part) => !part[skip]).map((part) => ({ text: part.value, changed: part.added || part.removed }));
  return { before: side('added'), after: side('removed') };
}
