import { MAX_COMMIT_FILES } from '@codelab/tools';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallPreview, Executor } from './executor.js';
import { toWorkspacePath, type WorkspacePath } from '../files/paths/parse-path.js';
import { makeCommit } from '../git/make-commit.js';
import { branchOf, withGit, type Git } from '../git/prepare-git.js';
import { stageFiles } from '../git/stage-files.js';
import { MAX_PREVIEW_CHARACTERS } from '../limits.js';
import { ToolFailure } from '../tool-failure.js';

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

/** Commits what is staged below the workspace, after staging files (docs/specification/tools.md#gitcommit). No hook runs and no remote is touched. */
export const gitCommit: Executor<'git.commit'> = {
  async run({ message, files = [] }, context) {
    if (message.trim() === '' || message.includes('\0'))
      throw new ToolFailure('INVALID_ARGUMENTS', 'git.commit: the message is blank, or has a NUL character.');
    const paths = files.map(toWorkspacePath);
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

  async preview({ message, files = [] }): Promise<CallPreview> {
    const what =
      files.length === 0 ? 'Commits what is staged.' : ['Stages, then commits with what is staged already:', ...files].join('\n  ');
    return { preview: { kind: 'text', text: `${message}\n\n${what}`.slice(0, MAX_PREVIEW_CHARACTERS) }, operands: [] };
  },
};
