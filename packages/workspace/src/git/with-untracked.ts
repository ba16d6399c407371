import { findSecretReason } from '@codelab/tools';
import { rm } from 'node:fs/promises';
import type { Environment } from '../inherited-environment.js';
import { ToolFailure } from '../tool-failure.js';
import { succeeded, type Git } from './prepare-git.js';
import { makeTemporaryFolder } from './temporary-folder.js';
import { withTemporaryIndex } from './temporary-index.js';

/** Bytes of the names of untracked files. */
const MAX_NAMES_BYTES = 1024 * 1024;

/** As `GIT_ALTERNATE_OBJECT_DIRECTORIES` wants a path that may hold anything. */
const quoted = (path: string): string => `"${path.replace(/["\\]/g, '\\$&')}"`;

/** Untracked files below the paths, without those that are ignored. */
const untrackedFiles = async (git: Git, paths: readonly string[]): Promise<readonly string[]> => {
  const outcome = await git.read(['ls-files', '--others', '--exclude-standard', '-z', '--', ...paths], MAX_NAMES_BYTES);
  if (outcome.kind === 'over_limit')
    throw new ToolFailure(
      'FILE_TOO_LARGE',
      `The names of the untracked files have more than ${String(MAX_NAMES_BYTES)} bytes; ask for a part.`,
    );
  const names = succeeded(outcome, 'ls-files').toString('utf8').split('\0').slice(0, -1);
  return names.filter((name) => !name.endsWith('/')); // a repository of its own
};

/**
 * Lets git see untracked files as new ones: on a copy of the index, with a store for objects of its own, so that nothing of the repository
 * changes. Files that are made to hold secrets are left out.
 *
 * @param use gets the variables that make git see them, and the files that were left out
 */
export async function withUntracked<T>(
  git: Git,
  paths: readonly string[],
  use: (variables: Environment, leftOut: readonly string[]) => Promise<T>,
): Promise<T> {
  const names = await untrackedFiles(git, paths);
  const leftOut = names.filter((name) => findSecretReason(name) !== undefined);
  const shown = names.filter((name) => !leftOut.includes(name));
  if (shown.length === 0) return use({}, leftOut);
  const objects = (await git.ask(['rev-parse', '--path-format=absolute', '--git-path', 'objects'])).replace(/\n$/, '');
  const directory = await makeTemporaryFolder();
  try {
    return await withTemporaryIndex(git, async (index) => {
      const variables = { ...index, GIT_OBJECT_DIRECTORY: directory, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(objects) };
      const input = shown.map((name) => `${name}\0`).join('');
      await git.ask(['add', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul'], { input, variables });
      return use(variables, leftOut);
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
