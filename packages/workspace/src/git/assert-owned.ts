import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolFailure } from '../tool-failure.js';
import type { GitDirectory } from './git-directory.js';
import { runGit } from './run-git.js';

/** Bytes of a list of folders. */
const MAX_LIST = 64 * 1024;

/** The user, and for an administrator the one who became it. */
const isOwn = (uid: number): boolean => {
  const own = process.getuid?.();
  // oxlint-disable-next-line no-restricted-properties -- whose files these are is told by sudo, and by nothing else
  return own === undefined || uid === own || (own === 0 && String(uid) === process.env['SUDO_UID']);
};

/** The folders that the user declared to be safe, for this git and no repository. */
const safeDirectories = async (root: string, signal: AbortSignal): Promise<readonly string[]> => {
  const outcome = await runGit({ root, args: ['config', '-z', '--get-all', 'safe.directory'], signal, limit: MAX_LIST });
  const all = outcome.stdout.toString('utf8').split('\0').slice(0, -1);
  return all.slice(all.lastIndexOf('') + 1); // an empty one begins anew
};

/**
 * Makes sure that a repository is the user's own, as git does: in a folder that others may write to, somebody else can put a `.git` above the workspace.
 *
 * @throws ToolFailure `GIT_ERROR` with what to do
 */
export async function assertOwned(root: string, { top, gitDir }: GitDirectory, signal: AbortSignal): Promise<void> {
  const owners = await Promise.all([top, join(top, '.git'), gitDir].map(async (path) => (await lstat(path)).uid));
  if (owners.every(isOwn)) return;
  const safe = await safeDirectories(root, signal);
  if (safe.some((path) => path === '*' || path === top || (path.endsWith('/*') && top.startsWith(path.slice(0, -1))))) return;
  throw new ToolFailure(
    'GIT_ERROR',
    'The repository belongs to another user. If you trust it, run "git config --global --add safe.directory" with its folder.',
  );
}
