import type { FileChange } from '../files/content/file-change.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import type { WorkspaceFiles } from '../files/workspace-files.js';
import type { CallBackup, Backups, BackedUpState } from '../backups/backups.js';
import { hasMark } from '../files/paths/entry.js';
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
async function repairEffects(effects: NameEffects, files: WorkspaceFiles, trash: Trash): Repair {
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

/** A call that a crash had cut in two, and what was made of it. */
export interface RepairedCall {
  readonly callId: string;
  /** `undone`: some of its files had changed and were put back. `none`: it had changed nothing. `whole`: it had changed everything. */
  readonly outcome: 'undone' | 'none' | 'whole';
}

type FileBackup = CallBackup['files'][number];
const nobody = { done: () => Promise.resolve(), drop: () => Promise.resolve() };

/** How to put one file back; nothing if it is not as the call would have left it, since then it is someone else's by now. */
const planUndo = async ({ path, before, after }: FileBackup, files: WorkspaceFiles, backups: Backups): Promise<FileChange | undefined> => {
  const place = toWorkspacePath(path);
  const now = await files.readForChange(place, 'follow');
  if (!isState(now?.sha256, after) || isState(now?.sha256, before)) return undefined;
  const content = before === null ? undefined : await backups.content(before.sha256);
  if (before !== null && content === undefined) return undefined;
  return {
    path: place,
    before: now,
    after: content === undefined || before === null ? undefined : { content, mode: before.mode },
  };
};

const isState = (sha256: string | undefined, state: BackedUpState): boolean => sha256 === state?.sha256;

const repairCall = async (call: CallBackup, files: WorkspaceFiles, backups: Backups): Promise<RepairedCall> => {
  for (const temporary of call.temporaries) await files.removeTemporary(toWorkspacePath(temporary));
  if (call.moves !== undefined || call.trashed !== undefined || call.created_directories !== undefined)
    return { callId: call.call_id, outcome: await repairEffects(call, files, backups.trash) };
  const undo = (await Promise.all(call.files.map((file) => planUndo(file, files, backups)))).filter((change) => change !== undefined);
  const changing = call.files.filter(({ before, after }) => before?.sha256 !== after?.sha256);
  if (undo.length === changing.length) return { callId: call.call_id, outcome: 'whole' };
  await files.commit({ changes: undo }, { links: 'follow', signal: new AbortController().signal, keep: () => Promise.resolve(nobody) });
  for (const { path, before } of call.files) if (before === null) await files.removeEmptyParents(toWorkspacePath(path));
  return { callId: call.call_id, outcome: undo.length === 0 ? 'none' : 'undone' };
};

/**
 * Puts right what a crash in the middle of a change left: temporary files go, and a call that had changed some of its files and not all is
 * undone, from the content that was kept. Files that somebody has touched since stay as they are.
 */
export async function repairWorkspace(files: WorkspaceFiles, backups: Backups): Promise<readonly RepairedCall[]> {
  const repaired: RepairedCall[] = [];
  for (const { call, done, drop } of await backups.unfinished()) {
    try {
      const result = await repairCall(call, files, backups);
      repaired.push(result);
      await (result.outcome === 'none' ? drop() : done());
    } catch {
      continue; // a link, a missing right: it stays unfinished, to be tried when the workspace is next opened
    }
  }
  return repaired;
}
