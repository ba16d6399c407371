import type { FilePatch, Hunk } from '@codelab/tools';
import { splitFile } from '../file-lines.js';
import { applyHunks, type LineChange, type PatchedText } from './edit-lines.js';
import { PatchRefused, type PatchHunk, type PatchOperation } from './patch-parts.js';
import { contentOf } from './read-patch.js';
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
 * Places all hunks of a patch in the files that it is about.
 * @param texts contents by path, of all files but new ones
 * @throws PatchRefused
 */
export function planPatch(operations: readonly PatchOperation[], texts: ReadonlyMap<string, string>): PlannedPatch {
  const tolerated: string[] = [];
  const patch: FilePatch[] = [];
  const files: PlannedFile[] = [];
  for (const operation of operations) {
    const { path } = operation;
    const text = texts.get(path) ?? '';
    const hunks = hunksOf(operation, text);
    switch (operation.kind) {
      case 'add':
        patch.push({ kind: 'create', newPath: path, hunks });
        files.push(sumUp(path, 'Created', hunks, false));
        break;
      case 'delete':
        patch.push({ kind: 'delete', oldPath: path, hunks });
        files.push(sumUp(path, 'Deleted', hunks, false));
        break;
      case 'update':
        patch.push({ kind: 'modify', oldPath: path, newPath: path, hunks });
        files.push(sumUp(path, 'Changed', hunks, true));
        break;
      case 'move':
        patch.push({ kind: 'rename', oldPath: path, newPath: operation.to, hunks });
        files.push(sumUp(`${path} to ${operation.to}`, 'Moved', hunks, true));
    }
  }
  return { patch, files, tolerated };

  function hunksOf(operation: PatchOperation, text: string): Hunk[] {
    if (operation.kind === 'add') return toHunks('', wholly('', contentOf(operation.lines)));
    if (operation.kind === 'delete' && operation.hunks.length === 0) return toHunks(text, wholly(text, ''));
    const changes = changesOf(operation.path, text, operation.hunks);
    const hunks = toHunks(text, changes);
    if (operation.kind === 'delete' && hunks.some(({ newLines }) => newLines > 0))
      throw new PatchRefused(`${operation.path} has more in it than the patch deletes; nothing was changed`);
    return hunks;
  }

  function changesOf(path: string, text: string, hunks: readonly PatchHunk[]): readonly LineChange[] {
    const applied = applyHunks(text, hunks);
    if (!applied.ok) throw new PatchRefused(refusalOf(path, applied));
    for (const { hunk, lines } of applied.tolerated)
      tolerated.push(`Hunk ${String(hunk)} of ${path} matched apart from indentation at lines ${String(lines[0])}-${String(lines[1])}.`);
    if (applied.text === text && hunks.length > 0) throw new PatchRefused(`its part for ${path} changes nothing`);
    return applied.changes;
  }
}

/** The texts that a patch makes of the files that it changes or moves, by the paths that they had. */
export function planPatchedTexts(operations: readonly PatchOperation[], texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const made = new Map<string, string>();
  for (const operation of operations) {
    if (operation.kind === 'add' || operation.kind === 'delete') continue;
    const applied = applyHunks(texts.get(operation.path) ?? '', operation.hunks);
    if (!applied.ok) throw new PatchRefused(refusalOf(operation.path, applied));
    made.set(operation.path, applied.text);
  }
  return made;
}

const refusalOf = (path: string, { hunk, why, near }: PatchedText & { readonly ok: false }): string =>
  `hunk ${String(hunk)} of ${path}: ${why}; nothing was changed.${near === '' ? '' : ` The nearest lines of it are:\n${near}`}`;

/** One text for another. */
function wholly(old: string, now: string): LineChange[] {
  const [before, after] = [splitFile(old), splitFile(now)];
  return before.lines.length + after.lines.length === 0 ? [] : [{ at: 0, deleted: before.lines.length, added: after.lines }];
}

function sumUp(path: string, verb: PlannedFile['verb'], hunks: readonly Hunk[], isShown: boolean): PlannedFile {
  const lines: string[] = [];
  let [added, deleted] = [0, 0];
  for (const { newStart, lines: body } of hunks) {
    let row = newStart;
    for (const { sign, text } of body) {
      if (sign !== ' ' && isShown) lines.push(`${String(row)}\t${sign}${text.replace(/\r$/, '')}`);
      if (sign === '+') added += 1;
      if (sign === '-') deleted += 1;
      else row += 1;
    }
  }
  return { path, verb, added, deleted, lines };
}
