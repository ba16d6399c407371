import { lstat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { about, isErrno } from '../../to-tool-error.js';
import { ToolFailure } from '../../tool-failure.js';
import { copyTree } from '../tree/copy-tree.js';
import { openTop } from '../paths/open-directory.js';
import type { WorkspacePath } from '../paths/parse-path.js';
import { removeTree } from '../tree/remove-tree.js';
import { renameToFreeName } from './rename-to-free-name.js';
import { removeDirectories, resolvePath, type Place } from '../paths/resolve-path.js';
import type { WorkspaceRoot } from '../paths/workspace-root.js';
import { temporaryName } from '../content/write-atomically.js';

const putBack = async (root: WorkspaceRoot, trashed: string, { directory, name }: Place): Promise<void> => {
  const stats = await lstat(trashed);
  const kind = stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'link' : 'file';
  await directory.assertInPlace();
  try {
    await renameToFreeName(kind, trashed, directory.entry(name));
    return;
  } catch (error) {
    if (!isErrno(error, 'EXDEV')) throw error;
  }
  const temporary = temporaryName();
  const from = await openTop(dirname(trashed), root.anchoring);
  try {
    await copyTree(from, basename(trashed), directory.entry(temporary), new AbortController().signal);
    await renameToFreeName(kind, directory.entry(temporary), directory.entry(name));
  } catch (error) {
    await removeTree(directory, temporary).catch(() => undefined); // not even begun, or without rights: it is told what failed
    throw error;
  } finally {
    await from.close();
  }
};

/**
 * Moves an entry of the trash back into the workspace, with the directories that it needs. What is in the way stays. From another file
 * system it is copied; the copy in the trash is its owner's to remove.
 *
 * @param trashed where it lies, as the trash tells
 * @throws ToolFailure `CONFLICT` if there is something at the path
 */
export function restoreEntry(root: WorkspaceRoot, trashed: string, path: WorkspacePath): Promise<void> {
  return about(path.text, async () => {
    const options = { purpose: 'change', links: 'refuse', leaf: 'keep', createDirectories: true } as const;
    const place = await resolvePath(root, path, options);
    try {
      await putBack(root, trashed, place);
      await place.directory.sync();
      for (const { parent } of place.created) await parent.sync();
    } catch (error) {
      await removeDirectories(place.created);
      if (isErrno(error, 'EEXIST')) throw new ToolFailure('CONFLICT', `${path.text} exists already; it was not restored over it.`);
      throw error;
    } finally {
      await place.close();
    }
  });
}
