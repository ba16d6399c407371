import type { Diff } from '@agentclientprotocol/sdk';
import { parsePatch, PatchError, type FilePatch, type Hunk, type ParsedPatch } from '@codelab/tools';

/** A change of one file as editors draw it, and where it begins. */
export interface ShownDiff {
  readonly diff: Diff;
  /** Of the new file, counted from 1. */
  readonly line: number;
}

/** So many parts of a change are shown; the rest is in its text. */
const MAX_PARTS = 200;

/**
 * A unified diff as the diffs of the protocol, one for each hunk with its context lines: the old and the new text of that part. Nothing where it is
 * no diff, or one that was cut.
 *
 * @param toPath the absolute path of one of the workspace
 */
export function toDiffs(text: string, toPath: (path: string) => string): readonly ShownDiff[] {
  return readPatch(text)
    .flatMap((file) => file.hunks.map((hunk) => toDiff(file, hunk, toPath)))
    .slice(0, MAX_PARTS);
}

function readPatch(text: string): ParsedPatch {
  try {
    return parsePatch(text);
  } catch (error) {
    if (error instanceof PatchError) return [];
    throw error;
  }
}

function toDiff({ oldPath, newPath, kind }: FilePatch, hunk: Hunk, toPath: (path: string) => string): ShownDiff {
  const path = toPath(newPath ?? oldPath ?? '');
  const newText = sideOf(hunk, '+');
  return { diff: { path, oldText: kind === 'create' ? null : sideOf(hunk, '-'), newText }, line: Math.max(1, hunk.newStart) };
}

/** The lines of one side, with their ends. */
const sideOf = ({ lines }: Hunk, sign: '+' | '-'): string =>
  lines
    .filter((line) => line.sign === ' ' || line.sign === sign)
    .map(({ text, noNewline }) => (noNewline === true ? text : `${text}\n`))
    .join('');
