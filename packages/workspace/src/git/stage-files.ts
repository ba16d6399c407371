import { ToolFailure } from '../tool-failure.js';
import { succeeded, type Git } from './prepare-git.js';

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
export async function stageFiles(git: Git, paths: readonly string[]): Promise<void> {
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
