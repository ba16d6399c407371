import { LIMITS } from '@codelab/protocol';
import { explainMask, findMask, parsePatch, pathsOfPatch, type ArgumentsOf, type FilePatch, type ParsedPatch } from '@codelab/tools';
import type { Executor, Surroundings } from './executor.js';
import { operandsOf } from '../files/content/check-operands.js';
import type { FilePlan } from '../files/content/file-change.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import { planPatch } from '../patch/plan-patch.js';
import { previewChanges } from '../patch/preview-change.js';
import { ToolFailure } from '../tool-failure.js';
import { gitOutput } from '../git/git-output.js';
import { withRepository } from '../git/find-repository.js';

/**
 * The tracked files under the workspace that have staged or unstaged changes, as paths from the top of the repository; for a rename the
 * new one. Untracked files don't count.
 */
async function changedFiles(root: string, signal: AbortSignal): Promise<readonly string[]> {
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=no', '--ignore-submodules=dirty', '--no-renames', '--', '.'];
  const answer = await withRepository(root, signal, ({ variables }) => gitOutput({ root, args, variables, signal }));
  return answer
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice(3));
}

/** Dirty files that a message names. */
const SHOWN_FILES = 5;

const readPatch = (diff: string): ParsedPatch => {
  const bytes = Buffer.byteLength(diff);
  const limit = LIMITS.MAX_DIFF_BYTES;
  if (bytes > limit) throw new ToolFailure('FILE_TOO_LARGE', `The diff has ${String(bytes)} bytes; at most ${String(limit)} are allowed.`);
  return parsePatch(diff);
};

/** The rule of the specification: no tracked file may have changes, staged or not. */
const assertClean = async ({ root, files, signal }: Surroundings): Promise<void> => {
  await files.assertPresent();
  const dirty = await changedFiles(root, signal);
  if (dirty.length === 0) return;
  const rest = dirty.length > SHOWN_FILES ? ` and ${String(dirty.length - SHOWN_FILES)} more` : '';
  const names = dirty.slice(0, SHOWN_FILES).join(', ') + rest;
  throw new ToolFailure(
    'PATCH_APPLY_FAILED',
    `The work tree is not clean: ${names}. Commit or stash the changes, or pass allow_dirty: true.`,
  );
};

/** Nothing is written that stands for a secret which the model was not shown. */
const assertUnmasked = ({ newPath = '', hunks }: FilePatch): void => {
  const added = hunks.flatMap(({ lines }) => lines.filter(({ sign }) => sign === '+'));
  const mask = added.map(({ text }) => findMask(text)).find((found) => found !== undefined);
  if (mask !== undefined) throw new ToolFailure('INVALID_ARGUMENTS', `${explainMask(newPath, mask)}.`);
};

const plan = async (
  { diff, allow_dirty: allowDirty = false }: ArgumentsOf<'apply_patch'>,
  surroundings: Surroundings,
): Promise<FilePlan> => {
  const patch = readPatch(diff);
  for (const part of patch) assertUnmasked(part);
  for (const path of pathsOfPatch(patch)) toWorkspacePath(path); // all of them, before anything is looked at
  if (!allowDirty) await assertClean(surroundings);
  return planPatch(patch, surroundings.files);
};

/** Applies a unified diff, all of it or nothing (docs/specification/tools.md#apply_patch). */
export const applyPatch: Executor<'apply_patch'> = {
  async run(args, context) {
    const planned = await plan(args, context);
    await context.commit(planned, 'refuse');
    for (const { path, after } of planned.changes) if (after === undefined) await context.files.removeEmptyParents(path);
    return { success: true, files_modified: planned.changes.map(({ path }) => path.text) };
  },
  async preview(args, surroundings) {
    const planned = await plan(args, surroundings);
    return { preview: previewChanges(planned.changes), operands: operandsOf(planned) };
  },
};
