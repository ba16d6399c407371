import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isErrno } from '../to-tool-error.js';
import { ToolFailure } from '../tool-failure.js';
import { readRepositoryFile } from './read-repository-file.js';

/** Where the data of a work tree lie, as canonical paths. */
export interface GitDirectory {
  /** The folder that has the `.git`. */
  readonly top: string;
  /** The data of this work tree: `HEAD`, the index. */
  readonly gitDir: string;
  /** The data that all work trees of the repository share: objects, branches, configuration. Mostly the same. */
  readonly commonDir: string;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false, // not there, or not to be seen
  );

/** The first line of a small file, without its `prefix`; `undefined` without the file. */
const lineOf = async (path: string, name: string, prefix: string): Promise<string | undefined> => {
  const file = await readRepositoryFile(path, name);
  if (file === undefined) return undefined;
  const text = file.content.toString('utf8').replace(/\r?\n$/, '');
  if (!text.startsWith(prefix) || text === prefix || text.includes('\n'))
    throw new ToolFailure('GIT_ERROR', `${name} does not say where the data of the repository are.`);
  return text.slice(prefix.length);
};

const commonDirOf = async (gitDir: string): Promise<string> => {
  const common = await lineOf(join(gitDir, 'commondir'), 'The file "commondir" of the repository', '');
  return common === undefined ? gitDir : realpath(resolve(gitDir, common));
};

/** Whether the data are those of a repository. Git takes no notice of a `.git` folder without them. */
const isRepository = async (gitDir: string): Promise<boolean> => {
  if (!(await lstat(join(gitDir, 'HEAD')).catch(() => undefined))) return false;
  const commonDir = await commonDirOf(gitDir).catch(() => gitDir);
  return (await exists(join(commonDir, 'objects'))) && exists(join(commonDir, 'refs'));
};

const lookIn = async (top: string): Promise<GitDirectory | undefined> => {
  const path = join(top, '.git');
  const stats = await stat(path).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP')) return undefined;
    throw error;
  });
  if (stats === undefined) return undefined;
  const named = stats.isDirectory() ? path : resolve(top, (await lineOf(path, 'The file .git', 'gitdir: ')) ?? '');
  const gitDir = await realpath(named).catch(() => undefined);
  if (gitDir === undefined || !(await isRepository(gitDir))) {
    if (stats.isDirectory()) return undefined;
    throw new ToolFailure('GIT_ERROR', 'The file .git leads to no repository.');
  }
  return { top, gitDir, commonDir: await commonDirOf(gitDir) };
};

/**
 * Finds the repository of a folder as git does, by looking for `.git` in it and above it, without running git: what a repository configures
 * has no part in it.
 *
 * @param directory a canonical path
 * @returns `undefined` if there is none
 * @throws ToolFailure `GIT_ERROR` if a `.git` leads nowhere
 */
export async function findGitDirectory(directory: string): Promise<GitDirectory | undefined> {
  for (let top = directory; ; top = dirname(top)) {
    const found = await lookIn(top);
    if (found !== undefined || dirname(top) === top) return found;
  }
}
