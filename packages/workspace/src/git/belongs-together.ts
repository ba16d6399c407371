import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../files/paths/workspace-root.js';
import { isErrno } from '../to-tool-error.js';
import type { GitDirectory } from './git-directory.js';

const sameFile = async (one: string, other: string): Promise<boolean> => {
  const [first, second] = await Promise.all([one, other].map((path) => realpath(path).catch(() => undefined)));
  return first !== undefined && first === second;
};

/** Whether a repository's `core.worktree` is the tree, and the tree's `.git` names the repository. */
const pointsBack = async ({ top, gitDir }: GitDirectory, worktree: string): Promise<boolean> => {
  const forth = await readFile(join(top, '.git'), 'utf8').catch(() => '');
  const named = /^gitdir: (.+?)\n?$/s.exec(forth)?.[1];
  return named !== undefined && (await sameFile(resolve(top, named), gitDir)) && sameFile(resolve(gitDir, worktree), top);
};

/**
 * Whether the data that `.git` leads to belong to this work tree: they lie in it, or they point back at it as those of linked work trees and
 * submodules do. Without that, a `.git` file in the workspace could show the content of any repository on the machine.
 *
 * @param worktree the repository's `core.worktree`
 */
export async function belongsTogether(place: GitDirectory, worktree: string | undefined): Promise<boolean> {
  const { top, gitDir, commonDir } = place;
  if (gitDir === commonDir) {
    const isDirectory = (await lstat(join(top, '.git'))).isDirectory();
    if (isDirectory) return worktree === undefined || sameFile(resolve(gitDir, worktree), top);
    return worktree !== undefined && pointsBack(place, worktree);
  }
  if (!(await sameFile(dirname(gitDir), join(commonDir, 'worktrees')))) return false;
  const back = await readFile(join(gitDir, 'gitdir'), 'utf8').catch(() => '');
  return sameFile(resolve(gitDir, back.trim()), join(top, '.git'));
}

/** What git never shows as it is, or no git of ours reads; a link there may lead anywhere. */
const NOT_SHOWN = /^(worktrees\/[^/]+\/)?(hooks|modules|lfs)$/;

/** Folders that hold many files, which git shows only if they are the objects that their names say. */
const OPAQUE = /^objects\/[0-9a-f]{2}$/;

const findLink = async (directory: string, { gitDir, commonDir }: GitDirectory, prefix = ''): Promise<string | undefined> => {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  });
  for (const entry of entries) {
    const path = join(directory, entry.name);
    const name = prefix + entry.name;
    if (NOT_SHOWN.test(name)) continue;
    if (entry.isSymbolicLink()) {
      const target = await realpath(path).catch(() => undefined);
      if (target === undefined ? !isRefLink(name) : !isInside(gitDir, target) && !isInside(commonDir, target)) return name;
    } else if (entry.isDirectory() && !OPAQUE.test(name)) {
      const found = await findLink(path, { top: '', gitDir, commonDir }, `${name}/`);
      if (found !== undefined) return found;
    }
  }
  return undefined;
};

/** The old form of `HEAD` is a link to a branch, which need not be there yet. */
const isRefLink = (name: string): boolean => /(^|\/)HEAD$/.test(name);

/**
 * A link among a repository's data that leads out of them: git would print lines of the file that it leads to, as those of a state
 * (`BISECT_START`), as the place of a work tree (`worktrees/x/gitdir`) or in a complaint (`packed-refs`, `shallow`), name the files beside it as broken
 * refs (`refs/notes`), or show objects of another repository by their short names (`objects/pack`). `undefined` if there is none.
 */
export const findOutwardLink = async (place: GitDirectory): Promise<string | undefined> =>
  (await findLink(place.gitDir, place)) ?? (place.gitDir === place.commonDir ? undefined : findLink(place.commonDir, place));
