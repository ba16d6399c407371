import { randomBytes } from 'node:crypto';
import { copyFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../inherited-environment.js';
import { isErrno } from '../to-tool-error.js';
import type { Git } from './prepare-git.js';

/**
 * Copies an index with its age, a little more: git compares the content of every file that is not older than its index, and takes the others
 * for unchanged by their times. A copy that is younger would hide what was changed in the moment in which the index was written.
 */
const copyIndex = async (index: string, copy: string): Promise<void> => {
  const { atimeMs, mtimeMs } = await stat(index);
  await copyFile(index, copy);
  await utimes(copy, atimeMs / 1000, Math.floor(mtimeMs / 1000) - 1);
};

/**
 * Lets git work on a copy of the user's index, which itself stays as it is. The copy lies beside it and goes when `use` is done.
 *
 * @param use gets the variables that make git take the copy
 */
export async function withTemporaryIndex<T>(git: Git, use: (variables: Environment) => Promise<T>): Promise<T> {
  const index = (await git.ask(['rev-parse', '--path-format=absolute', '--git-path', 'index'])).replace(/\n$/, '');
  const copy = join(git.repository.gitDir, `codelab-index.${randomBytes(6).toString('hex')}`);
  try {
    await copyIndex(index, copy).catch((error: unknown) => {
      if (!isErrno(error, 'ENOENT')) throw error; // nothing was ever staged: git begins a new one
    });
    return await use({ GIT_INDEX_FILE: copy });
  } finally {
    await Promise.all([rm(copy, { force: true }), rm(`${copy}.lock`, { force: true })]);
  }
}
