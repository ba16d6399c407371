import type { SimpleCommand } from '@codelab/tools';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkspaceRoot } from '../files/workspace-root.js';
import { findRepository, type Repository } from '../git/find-repository.js';
import type { GitConfig } from '../git/git-environment.js';
import { runGit } from '../git/run-git.js';
import { ToolFailure } from '../tool-failure.js';
import type { WorkingDirectory } from './working-directory.js';

export interface GitCheck {
  readonly root: WorkspaceRoot;
  readonly directory: WorkingDirectory;
  readonly commands: readonly SimpleCommand[];
  readonly signal: AbortSignal;
}

/** Settings that can't be overruled from outside, and name a program or let a submodule's settings in. */
const RUNS_PROGRAMS = /^(diff\.external|diff\..+\.(command|textconv)|submodule\..+\.ignore)$/;

const HARMLESS_OPTION = /^(--no-pager|-P|--version)$/;

const denied = (why: string): ToolFailure =>
  new ToolFailure(
    'DENIED_BY_POLICY',
    `The command needs an approval: ${why}. git.status, git.diff and git.log run nothing of the repository and need none. Nothing was run.`,
  );

/** Whether the repository describes submodules, where git looks for that: in the work tree, the index, the last commit. */
const hasSubmodules = async ({ top, config }: Repository, root: string, signal: AbortSignal): Promise<boolean> => {
  const inTree = await lstat(join(top, '.gitmodules')).then(
    () => true,
    () => false, // not in the work tree
  );
  if (inTree) return true;
  for (const name of [':.gitmodules', 'HEAD:.gitmodules']) {
    const args = ['rev-parse', '--verify', '--quiet', name];
    const outcome = await runGit({ root, directory: top, args, config, signal, limit: 1024 });
    if (outcome.kind === 'exited' && outcome.code === 0) return true;
  }
  return false;
};

/**
 * Makes sure that the gits of a command without an approval run nothing that configuration in the workspace names, and show no other
 * repository: what can be overruled is, and the rest asks (H1).
 *
 * @returns settings that silence the repository, for the command's environment; nothing where the command runs no git
 * @throws ToolFailure `DENIED_BY_POLICY`, `GIT_NOT_INITIALIZED` or `GIT_ERROR`
 */
export async function assertGitRunsNothing({ root, directory, commands, signal }: GitCheck): Promise<GitConfig> {
  const gits = commands.filter(({ words }) => /(^|\/)git$/.test(words[0] ?? ''));
  if (gits.length === 0) return {};
  if (gits.some(({ words }) => /^-/.test(words[1] ?? '') && !HARMLESS_OPTION.test(words[1]!)))
    throw denied('its options steer git before the subcommand');
  if (commands.some(({ words }) => words[0] === 'cd')) throw denied('git runs in a directory that the line changes to');
  const repository = await findRepository(root.path, signal, join(root.path, ...directory.segments));
  const setting = repository.ownSettings.find((name) => RUNS_PROGRAMS.test(name));
  if (setting !== undefined) throw denied(`the repository sets ${setting}, which makes git run a program`);
  if (await hasSubmodules(repository, root.path, signal)) throw denied('the repository has submodules with settings of their own');
  return repository.config;
}
