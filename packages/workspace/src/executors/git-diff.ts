import { LIMITS } from '@codelab/protocol';
import type { Executor } from './executor.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import { succeeded, withGit, type Git } from '../git/prepare-git.js';
import type { Environment } from '../inherited-environment.js';
import { ToolFailure } from '../tool-failure.js';
import { findSecretReason } from '@codelab/tools';
import { rm } from 'node:fs/promises';
import { makeTemporaryFolder } from '../git/temporary-folder.js';
import { withTemporaryIndex } from '../git/temporary-index.js';

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
async function withUntracked<T>(
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

/** The format of the specification whatever the user's settings, without programs of the repository, and only what is below the workspace. */
const FORMAT = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--relative',
  '--unified=3',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--inter-hunk-context=0',
];

const decode = (diff: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(diff);
  } catch {
    throw new ToolFailure(
      'ENCODING_ERROR',
      `The changes of ${firstUndecodable(diff)} are not valid UTF-8; ask for other paths one by one.`,
    );
  }
};

/** The file whose part of the diff is not UTF-8. */
const firstUndecodable = (diff: Buffer): string => {
  const parts = diff.toString('latin1').split(/^(?=diff --git )/m);
  const broken = parts.find((part) => Buffer.from(part, 'latin1').toString('utf8').includes('\ufffd'));
  return /^diff --git a\/(.*?) b\//.exec(broken ?? '')?.[1] ?? 'a file';
};

const readDiff = async (
  git: Git,
  { paths, staged }: { paths: readonly string[]; staged: boolean },
  variables: Environment,
): Promise<string> => {
  const args = ['diff', ...(staged ? ['--cached'] : []), ...FORMAT, '--', ...paths];
  const limit = LIMITS.MAX_DIFF_BYTES;
  const outcome = await git.read(args, limit, { variables });
  if (outcome.kind === 'over_limit') {
    const what = paths.length === 1 ? paths[0]! : `${String(paths.length)} paths`;
    throw new ToolFailure('FILE_TOO_LARGE', `The diff of ${what} has more than ${String(limit)} bytes; ask for a part of it.`);
  }
  return decode(succeeded(outcome, 'diff'));
};

/** Shows changes below the workspace (docs/specification/tools.md#gitdiff). */
export const gitDiff: Executor<'git.diff'> = {
  async run({ path, paths: further = [], staged = false, untracked = false }, context) {
    if (staged && untracked)
      throw new ToolFailure('INVALID_ARGUMENTS', 'git.diff: an untracked file is not staged; give "staged" or "untracked".');
    const paths = [...new Set([path, ...further].map((text) => toWorkspacePath(text).text))];
    return withGit(context, async (git) => {
      if (!untracked) return { diff: await readDiff(git, { paths, staged }, {}) };
      return withUntracked(git, paths, async (variables, leftOut) => ({
        diff: await readDiff(git, { paths, staged }, variables),
        left_out: leftOut.length === 0 ? undefined : leftOut,
      }));
    });
  },
};
