import type { Environment } from '../inherited-environment.js';
import { ToolFailure } from '../tool-failure.js';
import { succeeded, type Git } from './prepare-git.js';
import { withTemporaryIndex } from './temporary-index.js';

/** Bytes of the names of what is staged. */
const MAX_NAMES_BYTES = 64 * 1024 * 1024;

const STAGED = ['diff', '--cached', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--ignore-submodules=dirty'];

/** `--no-verify` and no signature: nobody is there to answer a question for a passphrase, and a program to sign could be the repository's. */
const COMMIT = ['commit', '--quiet', '--no-verify', '--no-gpg-sign', '--no-status', '--cleanup=whitespace', '--file=-'];

const MERGING = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];

const namesOf = async (git: Git, ...args: readonly string[]): Promise<readonly string[]> => {
  const outcome = await git.read([...STAGED, ...args], MAX_NAMES_BYTES);
  if (outcome.kind === 'over_limit') throw new ToolFailure('GIT_ERROR', 'More is staged than one commit should have; commit it in parts.');
  return succeeded(outcome, 'diff').toString('utf8').split('\0').slice(0, -1);
};

const isMerging = async (git: Git): Promise<boolean> => {
  for (const name of MERGING) if (await git.test(['rev-parse', '--verify', '--quiet', name])) return true;
  return false;
};

/** Commits the index but for what is staged outside of the workspace, which stays staged. */
const commitInside = async (git: Git, outside: readonly string[], message: string): Promise<void> => {
  if (await isMerging(git))
    throw new ToolFailure('GIT_ERROR', 'A merge has files outside of the workspace in it, so it cannot be committed from here.');
  await withTemporaryIndex(git, async (variables) => {
    const input = outside.map((path) => `:(top,literal)${path}\0`).join('');
    const magic: Environment = { ...variables, GIT_LITERAL_PATHSPECS: '0' };
    await git.change(['reset', '--quiet', '--pathspec-from-file=-', '--pathspec-file-nul'], { input, variables: magic });
    await git.change(COMMIT, { input: message, variables });
  });
};

/**
 * Commits what is staged below the workspace.
 *
 * @returns the files of the commit, relative to the workspace
 * @throws ToolFailure `GIT_ERROR` if nothing is staged there, or git refuses
 */
export async function makeCommit(git: Git, message: string): Promise<readonly string[]> {
  const files = await namesOf(git, '--relative', '--', '.');
  const merging = git.repository.prefix === '' && (await isMerging(git)); // a merge may be without a change
  if (files.length === 0 && !merging)
    throw new ToolFailure('GIT_ERROR', 'Nothing is staged in the workspace, so there is nothing to commit; name "files" to stage them.');
  const all = git.repository.prefix === '' ? [] : await namesOf(git, '--no-relative');
  const outside = all.filter((path) => !path.startsWith(git.repository.prefix));
  if (outside.length > 0) await commitInside(git, outside, message);
  else await git.change(COMMIT, { input: message });
  return files;
}
