import { randomBytes } from 'node:crypto';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../inherited-environment.js';
import { isErrno } from '../to-tool-error.js';
import type { Git } from './prepare-git.js';

/**
 * Lets git work on a copy of the user's index, which itself stays as it is. The copy lies beside it and goes when `use` is done.
 *
 * @param use gets the variables that make git take the copy
 */
export async function withTemporaryIndex<T>(git: Git, use: (variables: Environment) => Promise<T>): Promise<T> {
  const index = (await git.ask(['rev-parse', '--path-format=absolute', '--git-path', 'index'])).replace(/\n$/, '');
  const copy = join(git.repository.gitDir, `codelab-index.${randomBytes(6).toString('hex')}`);
  try {
    await copyFile(index, copy).catch((error: unknown) => {
      if (!isErrno(error, 'ENOENT')) throw error; // nothing was ever staged: git begins a new one
    });
    return await use({ GIT_INDEX_FILE: copy });
  } finally {
    await Promise.all([rm(copy, { force: true }), rm(`${copy}.lock`, { force: true })]);
  }
}
