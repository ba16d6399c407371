import type { ArgumentsOf } from '@codelab/tools';
import type { Executor, Surroundings } from './executor.js';
import { assertMovable } from '../files/names/assert-movable.js';
import { compareOperands } from '../files/content/check-operands.js';
import { toWorkspacePath, type WorkspacePath } from '../files/paths/parse-path.js';
import { MAX_DELETED_ENTRIES } from '../limits.js';
import { ToolFailure } from '../tool-failure.js';
import { inWords, survey, type Surveyed } from './survey.js';

const plan = async (args: ArgumentsOf<'delete_file'>, surroundings: Surroundings): Promise<Surveyed & { readonly path: WorkspacePath }> => {
  const path = toWorkspacePath(args.path);
  assertMovable(path, 'deleted');
  const found = await survey(path, surroundings);
  await surroundings.files.assertNotOwn(path);
  if (found.more)
    throw new ToolFailure(
      'FILE_TOO_LARGE',
      `${path.text} has more than ${String(MAX_DELETED_ENTRIES)} entries in it, and at most ${String(MAX_DELETED_ENTRIES)} are deleted at once.`,
    );
  return { ...found, path };
};

/** Moves an entry into the trash of the data directory (docs/specification/tools.md#delete_file). */
export const deleteFile: Executor<'delete_file'> = {
  async run(args, context) {
    const { files: access, signal, operands, keep, trash } = context;
    const { path, entry, files, bytes, ...found } = await plan(args, context);
    if (operands !== undefined) compareOperands(found.operands, operands);
    const conflict = operands === undefined ? 'CONFLICT' : 'APPROVAL_MISMATCH';
    const describe = async (): Promise<string> => JSON.stringify((await survey(path, context)).operands);
    await access.trash({ path, entry, files, bytes }, { signal, conflict, trash, keep, describe });
    return { success: true, files_deleted: files };
  },
  async preview(args, surroundings) {
    const { path, ...found } = await plan(args, surroundings);
    const text = `Moves into the trash: ${inWords(path, found)}\n`;
    return { preview: { kind: 'text', text }, operands: found.operands };
  },
};
