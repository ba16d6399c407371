import { hasMark } from '../files/paths/entry.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import type { WorkspaceFiles } from '../files/workspace-files.js';
import type { NameEffects, MovedEntry, TrashedEntry } from '../backups/name-effects.js';
import type { Trash } from '../backups/trash.js';

/** Whether a change of names that a crash may have cut in two had happened; what was only prepared for it is removed. */
type Repair = Promise<'whole' | 'none'>;

const repairMove = async (move: MovedEntry, files: WorkspaceFiles): Repair => {
  const [from, to] = [toWorkspacePath(move.from), toWorkspacePath(move.to)];
  if (!hasMark(await files.entryAt(from), move)) return 'whole';
  await files.removeSecondName(to, move); // a file has both names for a moment
  if (move.kind === 'directory' && !hasMark(await files.entryAt(to), move)) await files.removeEmpty(to); // made for it to replace
  return 'none';
};

const repairTrash = async (item: TrashedEntry, files: WorkspaceFiles, trash: Trash): Repair => {
  if (!hasMark(await files.entryAt(toWorkspacePath(item.path)), item)) return 'whole';
  await trash.remove(item.trash); // a copy that was not finished
  return 'none';
};

/**
 * Puts right what a crash left of a call's changes of names. Each of them is one step of the file system, so it happened or it didn't, and
 * an entry is known again by its identity; what somebody has made in its place since is left alone.
 */
export async function repairEffects(effects: NameEffects, files: WorkspaceFiles, trash: Trash): Repair {
  const { moves = [], trashed = [], created_directories: made = [] } = effects;
  const outcomes: Awaited<Repair>[] = [];
  for (const move of moves) outcomes.push(await repairMove(move, files));
  for (const item of trashed) outcomes.push(await repairTrash(item, files, trash));
  const last = made.at(-1);
  if (outcomes.length === 0 && last !== undefined && (await files.isDirectory(toWorkspacePath(last))) === true) return 'whole';
  if (outcomes.includes('whole')) return 'whole';
  for (const path of [...made].reverse()) await files.removeEmpty(toWorkspacePath(path));
  return 'none';
}
