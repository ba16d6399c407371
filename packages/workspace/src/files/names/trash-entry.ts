import { rename } from 'node:fs/promises';
import type { Trash } from '../../backups/trash.js';
import { about, isErrno } from '../../to-tool-error.js';
import { ToolFailure } from '../../tool-failure.js';
import { copyTree } from '../tree/copy-tree.js';
import { findEntry, isSameEntry, toEntryMark, type Entry } from '../paths/entry.js';
import type { NameChangeOptions } from './move-entry.js';
import type { WorkspacePath } from '../paths/parse-path.js';
import { removeTree } from '../tree/remove-tree.js';
import { resolvePath, type Place } from '../paths/resolve-path.js';
import type { WorkspaceRoot } from '../paths/workspace-root.js';
import { temporaryName } from '../content/write-atomically.js';

export interface Deletion {
  readonly path: WorkspacePath;
  /** What is there, as it was when the deletion was planned. */
  readonly entry: Entry;
  readonly files: number;
  readonly bytes: number;
}

interface AwayNames {
  /** Where the copy goes, a path of the client's own. */
  readonly copy: string;
  /** What the entry is called in its directory until it is removed. */
  readonly temporary: string;
}

export interface TrashOptions extends Omit<NameChangeOptions, 'keep'> {
  readonly trash: Trash;
  /** @param temporaries where the entry waits for its removal, if the trash is on another file system */
  readonly keep: (
    effects: Parameters<NameChangeOptions['keep']>[0] & { readonly temporaries: readonly string[] },
  ) => ReturnType<NameChangeOptions['keep']>;
  /** Tells the content of the entry as it is now, in a text that differs when it does; needed where it has to be copied. */
  readonly describe: () => Promise<string>;
}

/**
 * Copies the entry, takes its name away in one step, and then removes it.
 *
 * @returns whether all of it is removed; what is left has a temporary name
 */
const copyAway = async ({ path }: Deletion, place: Place, names: AwayNames, options: TrashOptions): Promise<boolean> => {
  const { directory, name } = place;
  const before = await options.describe();
  await copyTree(directory, name, names.copy, options.signal);
  if ((await options.describe()) !== before)
    throw new ToolFailure(options.conflict, `${path.text} was changed by someone else meanwhile; nothing was deleted.`);
  await directory.assertInPlace();
  await rename(directory.entry(name), directory.entry(names.temporary));
  return removeTree(directory, names.temporary).then(
    () => true,
    () => false, // a directory without rights: its name is free, and the rest goes when the workspace is next opened
  );
};

const run = async (deletion: Deletion, place: Place, options: TrashOptions): Promise<void> => {
  const { path, entry, files, bytes } = deletion;
  const { trash } = options;
  const { directory, name } = place;
  const temporary = temporaryName();
  const room = await trash.makeRoom();
  const record = await options.keep({
    trashed: [{ path: path.text, trash: room, files, bytes, ...toEntryMark(entry) }],
    temporaries: [[...directory.segments, temporary].join('/')],
  });
  let removed = true;
  try {
    options.signal.throwIfAborted();
    await directory.assertInPlace();
    if (!isSameEntry(await findEntry(place, path.text), entry))
      throw new ToolFailure(options.conflict, `${path.text} was changed by someone else meanwhile; nothing was deleted.`);
    await rename(directory.entry(name), trash.placeOf(room)).catch(async (error: unknown) => {
      if (!isErrno(error, 'EXDEV')) throw error;
      removed = await copyAway(deletion, place, { copy: trash.placeOf(room), temporary }, options);
    });
  } catch (error) {
    await trash.remove(room).catch(() => undefined); // it goes with the next that is forgotten
    await record.drop().catch(() => undefined); // nothing happened, whatever the record says
    throw error;
  }
  await trash.sync(room);
  await directory.sync();
  if (removed) await record.done().catch(() => undefined); // the effect is there; the record is set right when the workspace is next opened
};

/**
 * Moves an entry out of the workspace into the trash: one change of names where both are on one file system; else a durable copy, one
 * change of names, and a removal that can be finished later.
 *
 * @throws ToolFailure; nothing is changed
 */
export function trashEntry(root: WorkspaceRoot, deletion: Deletion, options: TrashOptions): Promise<void> {
  const { path } = deletion;
  return about(path.text, async () => {
    const place = await resolvePath(root, path, { purpose: 'change', links: 'refuse', leaf: 'keep' });
    try {
      await run(deletion, place, options);
    } finally {
      await place.close();
    }
  });
}
