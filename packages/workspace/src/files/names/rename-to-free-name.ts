import { link, mkdir, rename, rmdir, unlink } from 'node:fs/promises';
import { isErrno } from '../../to-tool-error.js';
import type { Entry } from '../paths/entry.js';

/** What file systems without links answer, and those that don't let this user make one. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'] as const;

/**
 * Gives an entry a name that must be free, so that nothing is ever replaced; Node has no `RENAME_NOREPLACE`. A file or a link gets its new
 * name before it loses the old one. A directory takes the place of an empty one that is made for it: a rename replaces no other, and what
 * fails if the name is taken is the making. Where the system has no such step, whoever is faster in between is replaced.
 *
 * @throws the system's answer: EEXIST if the name is taken, EXDEV if it is on another file system
 */
export async function renameToFreeName(kind: Entry['kind'], from: string, to: string): Promise<void> {
  if (process.platform === 'win32') return rename(from, to);
  if (kind === 'directory') {
    await mkdir(to, { mode: 0o700 });
    try {
      await rename(from, to);
    } catch (error) {
      await rmdir(to).catch(() => undefined); // someone has put something in it: it is theirs
      throw isErrno(error, 'ENOTEMPTY') ? Object.assign(new Error('taken'), { code: 'EEXIST' }) : error;
    }
    return;
  }
  if (kind === 'link' && process.platform !== 'linux') return rename(from, to); // elsewhere a link is made to what it leads to
  try {
    await link(from, to);
  } catch (error) {
    if (!isErrno(error, ...NO_LINKS)) throw error;
    return rename(from, to);
  }
  try {
    await unlink(from);
  } catch (error) {
    await unlink(to).catch(() => undefined); // it has two names now, which does no harm
    throw error;
  }
}
