import { parsePatch } from '../parse-patch.js';
import type { FilePatch, Hunk } from '../patch.js';
import { PatchError } from '../patch-error.js';

/** One line of a hunk. `old` and `now` are its line numbers, where the side has the line. */
export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed';
  readonly text: string;
  readonly old?: number;
  readonly now?: number;
  readonly noNewline?: boolean;
}

export interface DiffHunk {
  /** What stands after the second `@@`: mostly the function that the lines are in. */
  readonly section?: string | undefined;
  readonly lines: readonly DiffLine[];
}

export interface DiffFile {
  /** The path after the change, or before it where the file is deleted. */
  readonly path: string;
  readonly kind: FilePatch['kind'];
  /** Where a renamed or copied file comes from. */
  readonly from?: string;
  readonly mode?: string;
  readonly hunks: readonly DiffHunk[];
  readonly added: number;
  readonly removed: number;
}

/**
 * Reads a unified diff for showing it, with the parser that also applies it, so that nobody is shown something else than what is done.
 * Undefined if that parser refuses the text.
 */
export function readDiff(text: string): readonly DiffFile[] | undefined {
  if (text.trim() === '') return [];
  try {
    return parsePatch(text).map(toDiffFile);
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

/** One file of a patch, with line numbers and counts. */
export function toDiffFile(file: FilePatch): DiffFile {
  const hunks = file.hunks.map(toDiffHunk);
  const count = (kind: DiffLine['kind']): number => hunks.flatMap((hunk) => hunk.lines).filter((line) => line.kind === kind).length;
  return {
    path: file.newPath ?? file.oldPath ?? '',
    kind: file.kind,
    from: file.kind === 'rename' || file.kind === 'copy' ? (file.oldPath ?? '') : undefined,
    mode: file.newMode !== file.oldMode && (file.oldMode || file.newMode === '100755') ? file.newMode : undefined,
    hunks,
    added: count('added'),
    removed: count('removed'),
  };
}

/** One hunk, with the line numbers of both sides. */
export function toDiffHunk(hunk: Hunk): DiffHunk {
  let [old, now] = [hunk.oldStart, hunk.newStart];
  const lines = hunk.lines.map(({ sign, text, noNewline }): DiffLine => {
    const end = noNewline ? { noNewline } : {};
    if (sign === '+') return { kind: 'added', text, now: now++, ...end };
    if (sign === '-') return { kind: 'removed', text, old: old++, ...end };
    return { kind: 'context', text, old: old++, now: now++, ...end };
  });
  return { section: hunk.section.trim() || undefined, lines };
}
