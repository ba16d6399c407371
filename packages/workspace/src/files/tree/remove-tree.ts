import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import type { OpenDirectory } from '../paths/open-directory.js';

/** Removes an entry with all that is in it, through directories that are held: a link is removed, never followed (W1). */
export async function removeTree(directory: OpenDirectory, name: string): Promise<void> {
  const entry = directory.entry(name);
  if (!(await lstat(entry)).isDirectory()) return unlink(entry);
  const child = await directory.openChild(name);
  try {
    for (const each of await readdir(child.entry('.'))) await removeTree(child, each);
  } finally {
    await child.close();
  }
  await rmdir(entry);
}
