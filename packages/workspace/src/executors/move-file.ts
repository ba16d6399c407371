import type { ArgumentsOf } from '@codelab/tools';
import type { Operand } from '@codelab/protocol';
import type { Executor, Surroundings } from './executor.js';
import { assertMovable } from '../files/names/assert-movable.js';
import { compareOperands } from '../files/content/check-operands.js';
import type { Move } from '../files/names/move-entry.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import { ToolFailure } from '../tool-failure.js';
import { inWords, survey } from './survey.js';

interface MovePlan extends Move {
  readonly operands: readonly Operand[];
  /** Something is at the target. */
  readonly isTaken: boolean;
  readonly text: string;
}

const plan = async (args: ArgumentsOf<'move_file'>, surroundings: Surroundings): Promise<MovePlan> => {
  const [from, to] = [toWorkspacePath(args.from), toWorkspacePath(args.to)];
  for (const path of [from, to]) assertMovable(path, 'moved');
  if (`${to.text}/`.startsWith(`${from.text}/`) && to.text !== from.text)
    throw new ToolFailure('INVALID_PATH', `${from.text} cannot be moved into itself, to ${to.text}.`);
  const found = await survey(from, surroundings);
  await surroundings.files.assertNotOwn(from);
  const isTaken = (await surroundings.files.entryAt(to)) !== undefined; // fails where the target may not be, before anything is compared
  const operands = [...found.operands, { path: to.text, sha256: '' }];
  return { from, to, entry: found.entry, operands, isTaken, text: `Moves to ${to.text}: ${inWords(from, found)}\n` };
};

/** Moves an entry within the workspace (docs/specification/tools.md#move_file). */
export const moveFile: Executor<'move_file'> = {
  async run(args, context) {
    const { files, signal, operands, keep } = context;
    const { from, to, entry, ...found } = await plan(args, context);
    if (operands !== undefined) compareOperands(found.operands, operands);
    await files.move({ from, to, entry }, { signal, keep, conflict: operands === undefined ? 'CONFLICT' : 'APPROVAL_MISMATCH' });
    return { success: true };
  },
  async preview(args, surroundings) {
    const { from, to, operands, isTaken, text } = await plan(args, surroundings);
    if (from.text !== to.text && isTaken) throw new ToolFailure('CONFLICT', `${to.text} exists already; nothing was moved.`);
    return { preview: { kind: 'text', text }, operands };
  },
};
