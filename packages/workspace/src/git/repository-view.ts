import { copyFile, lstat, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Environment } from '../inherited-environment.js';
import { isErrno } from '../to-tool-error.js';
import { ToolFailure } from '../tool-failure.js';
import type { GitDirectory } from './git-directory.js';
import { writeSettings, type Setting } from './settings.js';
import { makeTemporaryFolder } from './temporary-folder.js';

/** A repository as our git sees it: its data, with a configuration of ours in place of its own. */
interface RepositoryView {
  /** The variables that make git use it, and look for no other repository. */
  readonly variables: Environment;
  /**
   * To be called before git changes something.
   *
   * @throws ToolFailure `GIT_ERROR` where this system lets us only look
   */
  readonly prepareChange: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** What git obeys or runs, and does not get. */
const LEFT_OUT: ReadonlySet<string> = new Set(['config', 'config.worktree', 'config.lock', 'hooks', 'remotes', 'branches']);

/** What git writes by a new file in place of the old one, at the end of the link: linked although it may not be there yet. */
const WRITTEN = ['packed-refs', 'shallow'];

/** Makes links; where the system allows none to files, copies. Returns the names that were copied. */
const fill = async (view: string, commonDir: string): Promise<readonly string[]> => {
  const entries = await readdir(commonDir, { withFileTypes: true });
  const found = new Map<string, 'junction' | 'file'>(WRITTEN.map((name) => [name, 'file']));
  for (const entry of entries) found.set(entry.name, entry.isDirectory() ? 'junction' : 'file');
  const copied: string[] = [];
  for (const [name, kind] of found) {
    if (LEFT_OUT.has(name) || name.endsWith('.lock')) continue;
    const [own, linked] = [join(commonDir, name), join(view, name)];
    try {
      await symlink(own, linked, kind);
    } catch (error) {
      if (!isErrno(error, 'EPERM')) throw error;
      if (entries.some((entry) => entry.name === name && entry.isFile())) await copyFile(own, linked);
      copied.push(name);
    }
  }
  return copied;
};

/** The log of branches lies in a folder that git makes with the first commit, which it can't do through a link. */
const makeLogs = async (view: string, commonDir: string): Promise<void> => {
  const [own, linked] = [join(commonDir, 'logs'), join(view, 'logs')];
  await mkdir(own, { recursive: true });
  if ((await lstat(linked).catch(() => undefined)) === undefined) await symlink(own, linked, 'junction');
};

/**
 * Makes a view of a repository: a folder with a configuration of these settings and links to everything else, which git takes for the
 * folder that work trees share. So the repository's own configuration is never read, whatever it says by then.
 */
export async function makeRepositoryView(place: GitDirectory, settings: readonly Setting[]): Promise<RepositoryView> {
  const { top, gitDir, commonDir } = place;
  const view = await makeTemporaryFolder();
  const remove = (): Promise<void> => rm(view, { recursive: true, force: true });
  try {
    const lfs: Setting = { key: 'lfs.storage', value: Buffer.from(join(commonDir, 'lfs')).toString('latin1') };
    await writeFile(join(view, 'config'), writeSettings([...settings, lfs]), { mode: 0o600 });
    const copied = await fill(view, commonDir);
    const own = gitDir === commonDir ? gitDir : join(view, 'worktrees', basename(gitDir)); // as git names it among the work trees
    return {
      variables: { GIT_DIR: own, GIT_COMMON_DIR: view, GIT_WORK_TREE: top },
      prepareChange: async () => {
        if (copied.length > 0)
          throw new ToolFailure(
            'GIT_ERROR',
            'This system allows no links to files, without which git may only look; on Windows turn on Developer Mode.',
          );
        await makeLogs(view, commonDir);
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
