import type { FilePatch, Hunk } from '@codelab/tools';
import { PatchRefused, type PatchOperation } from './patch-parts.js';
import { patchFiles } from './patched-files.js';
import { toHunks } from './to-hunks.js';

/** What a patch comes to. */
export interface PlannedPatch {
  /** With right numbers, for the files as they were read. */
  readonly patch: readonly FilePatch[];
  readonly files: readonly PlannedFile[];
  /** What the model is told of hunks that fit only apart from blanks. */
  readonly tolerated: readonly string[];
}

export interface PlannedFile {
  readonly path: string;
  readonly verb: 'Changed' | 'Created' | 'Deleted' | 'Moved';
  readonly added: number;
  readonly deleted: number;
  /** Changed lines as `12⇥-old` and `12⇥+new`. */
  readonly lines: readonly string[];
}

/**
 * Places all hunks of a patch in the files that it is about, section after section; what several of them do to one file becomes one change.
 * @param texts contents by path, of all files that {@link sourcesOf} names
 * @throws PatchRefused
 */
export function planPatch(operations: readonly PatchOperation[], texts: ReadonlyMap<string, string>): PlannedPatch {
  const tolerated: string[] = [];
  const patch: FilePatch[] = [];
  const files: PlannedFile[] = [];
  for (const { from, to, before, text, changes } of patchFiles(operations, texts, (note) => void tolerated.push(note))) {
    const hunks = toHunks(before, changes);
    if (from === undefined) {
      patch.push({ kind: 'create', newPath: to!, hunks });
      files.push(sumUp(to!, 'Created', hunks, false));
    } else if (to === undefined) {
      patch.push({ kind: 'delete', oldPath: from, hunks });
      files.push(sumUp(from, 'Deleted', hunks, false));
    } else if (to === from) {
      if (text === before) throw new PatchRefused(`its parts for ${from} change nothing`);
      patch.push({ kind: 'modify', oldPath: from, newPath: to, hunks });
      files.push(sumUp(from, 'Changed', hunks, true));
    } else {
      patch.push({ kind: 'rename', oldPath: from, newPath: to, hunks });
      files.push(sumUp(`${from} to ${to}`, 'Moved', hunks, true));
    }
  }
  return { patch, files, tolerated };
}

/** The texts that a patch makes of the files that it changes or moves, by the paths that they had. */
export const planPatchedTexts = (operations: readonly PatchOperation[], texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(
    patchFiles(operations, texts, () => undefined).flatMap(({ from, to, text }) =>
      from === undefined || to === undefined ? [] : [[from, text] as const],
    ),
  );

function sumUp(path: string, verb: PlannedFile['verb'], hunks: readonly Hunk[], isShown: boolean): PlannedFile {
  const lines: string[] = [];
  let [added, deleted] = [0, 0];
  for (const { oldStart, newStart, lines: body } of hunks) {
    let [left, right] = [oldStart, newStart];
    for (const { sign, text } of body) {
      const row = sign === '-' ? left : right;
      if (sign !== ' ' && isShown) lines.push(`${String(row)}\t${sign}${text.replace(/\r$/, '')}`);
      if (sign === '+') added += 1;
      else left += 1;
      if (sign === '-') deleted += 1;
      else right += 1;
    }
  }
  return { path, verb, added, deleted, lines };
}
