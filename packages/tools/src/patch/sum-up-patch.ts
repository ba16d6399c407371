import { parsePatch } from './parse-patch.js';
import { PatchError } from './patch-error.js';

/** What a diff amounts to. */
interface PatchSum {
  /** Paths after the change; before it where a file is deleted. */
  readonly files: readonly string[];
  readonly added: number;
  readonly removed: number;
}

/** Counts files and lines of a unified diff; `undefined` if it can't be parsed. */
export function sumUpPatch(diff: string): PatchSum | undefined {
  if (diff.trim() === '') return { files: [], added: 0, removed: 0 };
  try {
    const patch = parsePatch(diff);
    const lines = patch.flatMap(({ hunks }) => hunks).flatMap((hunk) => hunk.lines);
    const count = (side: '+' | '-'): number => lines.filter(({ sign }) => sign === side).length;
    return { files: patch.map(({ newPath, oldPath }) => newPath ?? oldPath ?? ''), added: count('+'), removed: count('-') };
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}
