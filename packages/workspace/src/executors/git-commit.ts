import { MAX_COMMIT_FILES } from '@codelab/tools';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallPreview, Executor } from './executor.js';
import { toWorkspacePath, type WorkspacePath } from '../files/paths/parse-path.js';
import { makeCommit } from '../git/make-commit.js';
import { branchOf, withGit, type Git, succeeded } from '../git/prepare-git.js';
import { MAX_PREVIEW_CHARACTERS } from '../limits.js';
import { ToolFailure } from '../tool-failure.js';

/** Bytes of the list of what is tracked. */
const MAX_LIST_BYTES = 256 * 1024 * 1024;

const FROM_INPUT = ['--pathspec-from-file=-', '--pathspec-file-nul'];

/** The submodules below the workspace, as paths from it. */
const submodulesOf = async (git: Git): Promise<readonly string[]> => {
  const outcome = await git.read(['ls-files', '--stage', '-z'], MAX_LIST_BYTES);
  if (outcome.kind === 'over_limit') throw new ToolFailure('GIT_ERROR', 'The workspace has more tracked files than can be looked through.');
  const entries = succeeded(outcome, 'ls-files').toString('utf8').split('\0');
  return entries.flatMap((entry) => (entry.startsWith('160000 ') ? [entry.slice(entry.indexOf('\t') + 1)] : []));
};

const lines = (paths: readonly string[]): string => paths.map((path) => `${path}\0`).join('');

/**
 * Stages files and what is in folders: changed, new and deleted. Of a submodule the commit that is checked out is staged, without looking
 * whether it has changes: for that git would run a git in it, with the submodule's own configuration.
 *
 * @param paths plain paths from the workspace, no patterns
 */
async function stageFiles(git: Git, paths: readonly string[]): Promise<void> {
  const submodules = await submodulesOf(git);
  if (submodules.length === 0) {
    await git.change(['add', '--all', ...FROM_INPUT], { input: lines(paths) });
    return;
  }
  const others = paths.filter((path) => !submodules.includes(path));
  if (others.length > 0) {
    const patterns = [...others.map((path) => `:(literal)${path}`), ...submodules.map((path) => `:(exclude,literal)${path}`)];
    await git.change(['add', '--all', ...FROM_INPUT], { input: lines(patterns), variables: { GIT_LITERAL_PATHSPECS: '0' } });
  }
  const meant = submodules.filter((submodule) => paths.some((path) => path === '.' || `${submodule}/`.startsWith(`${path}/`)));
  await git.change(['update-index', '--add', '--remove', '-z', '--stdin'], { input: lines(meant) });
}

const assertIdentity = async (git: Git): Promise<void> => {
  const variables = { GIT_CONFIG_PARAMETERS: "'user.useConfigOnly'='true'" };
  if (await git.test(['var', 'GIT_COMMITTER_IDENT'], { variables })) return;
  throw new ToolFailure(
    'GIT_ERROR',
    'git does not know in whose name to commit; set it by "git config --global user.name …" and "git config --global user.email …".',
  );
};

const assertKnown = async (git: Git, root: string, { text }: WorkspacePath): Promise<void> => {
  const isThere = await lstat(join(root, text)).then(
    () => true,
    () => false, // it may be tracked and deleted
  );
  if (!isThere && !(await git.test(['ls-files', '--error-unmatch', '--', text])))
    throw new ToolFailure('FILE_NOT_FOUND', `File not found: ${text}. git does not track it either; nothing was committed.`);
};

const readArguments = (message: string, files: readonly string[]): readonly WorkspacePath[] => {
  if (message.trim() === '' || message.includes('\0'))
    throw new ToolFailure('INVALID_ARGUMENTS', 'git.commit: the message is blank, or has a NUL character.');
  return files.map(toWorkspacePath);
};

/** Commits what is staged below the workspace, after staging files (docs/specification/tools.md#gitcommit). No hook runs and no remote is touched. */
export const gitCommit: Executor<'git.commit'> = {
  async run({ message, files = [] }, context) {
    const paths = readArguments(message, files);
    return withGit(context, async (git) => {
      await assertIdentity(git);
      for (const path of paths) await assertKnown(git, context.root, path);
      if (paths.length > 0)
        await stageFiles(
          git,
          paths.map(({ text }) => text),
        );
      const committed = await makeCommit(git, message);
      const sha = (await git.ask(['rev-parse', 'HEAD'])).trim();
      const shown = committed.slice(0, MAX_COMMIT_FILES);
      return { success: true, sha, branch: await branchOf(git), files: shown, truncated: shown.length < committed.length };
    });
  },

  async preview({ message, files = [] }, surroundings): Promise<CallPreview> {
    const paths = readArguments(message, files);
    await withGit(surroundings, async (git) => {
      for (const path of paths) await assertKnown(git, surroundings.root, path);
    });
    const what =
      files.length === 0 ? 'Commits what is staged.' : ['Stages, then commits with what is staged already:', ...files].join('\n  ');
    return { preview: { kind: 'text', text: `${message}\n\n${what}`.slice(0, MAX_PREVIEW_CHARACTERS) }, operands: [] };
  },
};
