import { hasMark, toEntryMark, type Entry } from '../files/paths/entry.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import type { WorkspaceFiles } from '../files/workspace-files.js';
import type { NameEffects, MovedEntry, RestoredEntry, TrashedEntry } from '../backups/name-effects.js';
import { unlessMissing } from '../backups/blob-store.js';
import type { CallName, Backups } from '../backups/backups.js';
import { MAX_REPLACED_BYTES } from '../limits.js';
import { toToolError } from '../to-tool-error.js';
import { lstat } from 'node:fs/promises';
import type { PathHistory } from './path-history.js';
import type { Look, UndoStep } from './undo-plan.js';

/** What undoing changes of names works on. */
export interface NameParts {
  readonly files: WorkspaceFiles;
  readonly backups: Backups;
}

type NameChange =
  | { readonly kind: 'move'; readonly step: Omit<UndoStep, 'state'>; readonly move: MovedEntry }
  | { readonly kind: 'untrash'; readonly step: Omit<UndoStep, 'state'>; readonly item: TrashedEntry }
  | { readonly kind: 'trash'; readonly step: Omit<UndoStep, 'state'>; readonly item: RestoredEntry }
  | { readonly kind: 'remove'; readonly step: Omit<UndoStep, 'state'>; readonly path: string }
  | { readonly kind: 'make'; readonly step: Omit<UndoStep, 'state'>; readonly path: string };

/** What undoes the changes of names of one call, in order. */
const inverseOf = (effects: NameEffects): readonly NameChange[] => {
  const { moves = [], trashed = [], restored = [], created_directories: made = [], removed_directories: gone = [] } = effects;
  return [
    ...[...gone].reverse().map((path) => ({ kind: 'make', path, step: { path: `${path}/`, action: 'create' } }) as const),
    ...[...moves].reverse().map((move) => ({ kind: 'move', move, step: { path: move.from, action: 'move', from: move.to } }) as const),
    ...[...trashed]
      .reverse()
      .map((item) => ({ kind: 'untrash', item, step: { path: item.path, action: 'create', files: item.files } }) as const),
    ...[...restored]
      .reverse()
      .map((item) => ({ kind: 'trash', item, step: { path: item.path, action: 'remove', files: item.files } }) as const),
    ...[...made].reverse().map((path) => ({ kind: 'remove', path, step: { path: `${path}/`, action: 'remove' } }) as const),
  ];
};

/** How a part of an undoing looks at the workspace. */
interface NameView {
  /** Where paths are that later calls have moved. */
  readonly later: PathHistory;
  readonly look: Look;
}

/** A file is another one for the system as soon as it is written again, a directory stays itself. */
const isMoved = (entry: Entry | undefined, move: MovedEntry): boolean =>
  move.kind === 'file' ? entry?.kind === 'file' : hasMark(entry, move);

/** Why a change of names can't be undone as things stand. */
const findFault = async (change: NameChange, { files, backups }: NameParts, { later, look }: NameView): Promise<string | undefined> => {
  const entryAt = async (path: string): Promise<Entry | undefined> => {
    const place = later.find(path);
    return place.kind === 'workspace' ? files.entryAt(toWorkspacePath(place.path)) : undefined;
  };
  if (change.kind === 'move') {
    const { from, to } = change.move;
    if (later.find(to).kind === 'trash') return undefined; // it comes back before
    if (!isMoved(await entryAt(to), change.move)) return `${to} is not there any more, or is something else`;
    return (await entryAt(from)) === undefined ? undefined : 'there is something of this name again';
  }
  if (change.kind === 'untrash') {
    const lies = await unlessMissing(lstat(backups.trash.placeOf(change.item.trash)));
    if (lies === undefined) return 'it is kept no longer';
    return (await entryAt(change.item.path)) === undefined ? undefined : 'there is something of this name again';
  }
  if (change.kind === 'trash') {
    const { path, sha256 } = change.item;
    const isIt = sha256 === undefined ? hasMark(await entryAt(path), change.item) : (await look(path)).state?.sha256 === sha256;
    return isIt ? undefined : 'it is not there any more, or was changed since';
  }
  return undefined;
};

/** What undoing the changes of names of one call would do. */
export async function planNames(effects: NameEffects, parts: NameParts, view: NameView): Promise<readonly UndoStep[]> {
  const steps: UndoStep[] = [];
  for (const change of inverseOf(effects)) {
    const why = await findFault(change, parts, view).catch((error: unknown) => toToolError(error).message);
    steps.push(why === undefined ? { ...change.step, state: 'ready' } : { ...change.step, state: 'conflict', why });
  }
  return steps;
}

const carryOut = async (change: NameChange, { files, backups }: NameParts, call: CallName): Promise<boolean> => {
  const signal = new AbortController().signal;
  const keep: Parameters<WorkspaceFiles['move']>[1]['keep'] = (effects) => backups.begin(call, effects);
  const record = (effects: NameEffects): Promise<void> => backups.record(call, { atMs: Date.now(), files: [], ...effects });
  if (change.kind === 'make') return files.makeDirectory(toWorkspacePath(change.path), keep);
  if (change.kind === 'remove') {
    const removed = await files.removeEmpty(toWorkspacePath(change.path));
    if (removed) await record({ removed_directories: [change.path] });
    return removed;
  }
  if (change.kind === 'move') {
    const [from, to] = [toWorkspacePath(change.move.to), toWorkspacePath(change.move.from)];
    const entry = await files.entryAt(from);
    if (entry !== undefined) await files.move({ from, to, entry }, { signal, keep, conflict: 'CONFLICT' });
    return entry !== undefined;
  }
  const { item } = change;
  const path = toWorkspacePath(item.path);
  if (change.kind === 'untrash') {
    await files.restore(backups.trash.placeOf(change.item.trash), path);
    const entry = await files.entryAt(path);
    if (entry === undefined) return true; // gone again already
    const state = entry.kind === 'file' ? await files.readEntry(path, MAX_REPLACED_BYTES).catch(() => undefined) : undefined;
    await record({ restored: [{ path: item.path, files: item.files, bytes: item.bytes, sha256: state?.sha256, ...toEntryMark(entry) }] });
    return true;
  }
  const entry = await files.entryAt(path);
  if (entry === undefined) return false;
  const describe = (): Promise<string> => Promise.resolve(`${String(entry.fingerprint.mtimeNs)} ${String(entry.fingerprint.size)}`);
  const options = { signal, conflict: 'CONFLICT', trash: backups.trash, describe } as const;
  await files.trash({ path, entry, files: item.files, bytes: item.bytes }, { ...options, keep: (effects) => backups.begin(call, effects) });
  return true;
};

/** Undoes the changes of names of one call, one by one. Returns each with how it went; what was in use stays, and is no conflict. */
export async function undoNames(effects: NameEffects, parts: NameParts, view: NameView, call: CallName): Promise<readonly UndoStep[]> {
  const steps: UndoStep[] = [];
  for (const change of inverseOf(effects)) {
    try {
      const why = await findFault(change, parts, view);
      if (why !== undefined) steps.push({ ...change.step, state: 'conflict', why });
      else if (await carryOut(change, parts, call)) steps.push({ ...change.step, state: 'ready' });
    } catch (error) {
      steps.push({ ...change.step, state: 'conflict', why: toToolError(error).message });
    }
  }
  return steps;
}
