import type { SimpleCommand } from '@codelab/tools';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkspaceRoot } from '../../files/paths/workspace-root.js';
import { withRepository, type Repository } from '../../git/find-repository.js';
import { silentGitVariables } from '../../git/git-environment.js';
import { runGit } from '../../git/run-git.js';
import type { Environment } from '../../inherited-environment.js';
import { NeedsApproval } from './needs-approval.js';
import type { WorkingDirectory } from './working-directory.js';

interface GitCheck {
  readonly root: WorkspaceRoot;
  readonly directory: WorkingDirectory;
  readonly commands: readonly SimpleCommand[];
  /** The command goes on after this process has let go of it. */
  readonly goesOn: boolean;
  readonly signal: AbortSignal;
}

const HARMLESS_OPTION = /^(--no-pager|-P)$/;

/** Subcommands that look into submodules, where git runs another git with the settings of those. */
const LOOKS_INTO_SUBMODULES = /^(status|diff)$/;

const denied = (why: string): NeedsApproval =>
  new NeedsApproval(why, ' git.status, git.diff and git.log run nothing of the repository and need none.');

/** Whether the repository describes submodules, where git looks for that: in the work tree, the index, the last commit. */
const hasSubmodules = async ({ top, variables }: Repository, root: string, signal: AbortSignal): Promise<boolean> => {
  const inTree = await lstat(join(top, '.gitmodules')).then(
    () => true,
    () => false, // not in the work tree
  );
  if (inTree) return true;
  for (const name of [':.gitmodules', 'HEAD:.gitmodules']) {
    const args = ['rev-parse', '--verify', '--quiet', name];
    const outcome = await runGit({ root, directory: top, args, variables, signal, limit: 1024 });
    if (outcome.kind === 'exited' && outcome.code === 0) return true;
  }
  return false;
};

/** Whether it has objects of another repository, which a short name of an object would tell of. */
const borrowsObjects = ({ commonDir }: Repository): Promise<boolean> =>
  lstat(join(commonDir, 'objects', 'info', 'alternates')).then(
    ({ size }) => size > 0,
    () => false, // not there
  );

const subcommandOf = ([, ...words]: readonly string[]): string => words.find((word) => !HARMLESS_OPTION.test(word)) ?? '';

const assertHarmless = async (repository: Repository, names: readonly string[], { root, signal }: GitCheck): Promise<void> => {
  const [setting] = repository.refusedSettings;
  if (setting !== undefined) throw denied(`the repository sets ${setting}, which is not among the settings that are known to be harmless`);
  if (await borrowsObjects(repository)) throw denied('the repository takes objects from another one');
  if (names.some((name) => LOOKS_INTO_SUBMODULES.test(name)) && (await hasSubmodules(repository, root.path, signal)))
    throw denied('the repository has submodules with settings of their own');
};

/**
 * Runs `use` for a command without an approval, with variables by which its gits see no setting of the repository but those that are known
 * to be harmless, and no other repository (H1). The settings are those of the check: what the configuration says later has no effect.
 *
 * @throws ToolFailure `DENIED_BY_POLICY` if a setting, an option or another repository needs an approval; `GIT_NOT_INITIALIZED` or `GIT_ERROR`
 */
export async function withHarmlessGit<T>(check: GitCheck, use: (variables: Environment) => Promise<T>): Promise<T> {
  const { root, directory, commands, goesOn, signal } = check;
  const gits = commands.map(({ words }) => words).filter(([program = '']) => /(^|\/)git$/.test(program));
  const names = gits.map(subcommandOf);
  if (names.every((name) => name === '--version')) return use(silentGitVariables());
  if (names.some((name) => name.startsWith('-') && name !== '--version')) throw denied('its options steer git before the subcommand');
  if (goesOn) throw denied('git goes on after the call');
  if (commands.some(({ words }) => words[0] === 'cd')) throw denied('git runs in a directory that the line changes to');
  const run = async (repository: Repository): Promise<T> => {
    await assertHarmless(repository, names, check);
    return use({ ...silentGitVariables(), ...repository.variables });
  };
  return withRepository(root.path, signal, run, join(root.path, ...directory.segments));
}
