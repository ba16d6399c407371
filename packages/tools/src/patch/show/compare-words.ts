import { diffWordsWithSpace } from 'diff';
import type { DiffLine } from './read-diff.js';

/** Longer lines are not compared word by word. */
const MAX_COMPARED_CHARACTERS = 2_000;

/** A stretch of a line; `changed`: the other side of the change has something else there. */
export interface WordPiece {
  readonly text: string;
  readonly changed: boolean;
}

/**
 * Pairs each run of removed lines with the added ones after it, one to one, and marks the words that differ: by the index of the line. Lines
 * that have little in common are left out.
 */
export function compareWords(lines: readonly DiffLine[]): ReadonlyMap<number, readonly WordPiece[]> {
  const marked = new Map<number, readonly WordPiece[]>();
  for (let start = 0; start < lines.length; start += 1) {
    if (lines[start]!.kind !== 'removed') continue;
    const removed = runLength(lines, start, 'removed');
    const added = runLength(lines, start + removed, 'added');
    if (removed === added) {
      for (let index = 0; index < removed; index += 1) {
        const pair = markWords(lines[start + index]!.text, lines[start + removed + index]!.text);
        if (!pair) continue;
        marked.set(start + index, pair.before);
        marked.set(start + removed + index, pair.after);
      }
    }
    start += removed + added - 1;
  }
  return marked;
}

function runLength(lines: readonly DiffLine[], start: number, kind: DiffLine['kind']): number {
  let end = start;
  while (lines[end]?.kind === kind) end += 1;
  return end - start;
}

function markWords(before: string, after: string): { before: readonly WordPiece[]; after: readonly WordPiece[] } | undefined {
  if (before.length + after.length > MAX_COMPARED_CHARACTERS) return undefined;
  const parts = diffWordsWithSpace(before, after);
  const kept = parts.filter((part) => !part.added && !part.removed).reduce((sum, part) => sum + part.value.trim().length, 0);
  if (kept * 3 < Math.max(before.trim().length, after.trim().length)) return undefined;
  const side = (skip: 'added' | 'removed'): readonly WordPiece[] =>
    parts.filter((part) => !part[skip]).map((part) => ({ text: part.value, changed: part.added || part.removed }));
  return { before: side('added'), after: side('removed') };
}
