import type { FileChange } from '../files/content/file-change.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import type { WorkspaceFiles } from '../files/workspace-files.js';
import { repairEffects } from './repair-effects.js';
import type { CallBackup, Backups, BackedUpState } from '../backups/backups.js';

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
