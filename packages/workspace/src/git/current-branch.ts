import { withRepository } from './find-repository.js';
import { runGit } from './run-git.js';

/** Bytes of a branch's name. */
const MAX_NAME = 1024;

/** The branch that is checked out in a folder; `undefined` without one, without a repository and without git. */
export async function currentBranch(root: string): Promise<string | undefined> {
  const signal = new AbortController().signal;
  try {
    const args = ['symbolic-ref', '--quiet', '--short', 'HEAD'];
    const outcome = await withRepository(root, signal, ({ variables }) => runGit({ root, args, variables, signal, limit: MAX_NAME }));
    return outcome.kind === 'exited' && outcome.code === 0 ? outcome.stdout.toString('utf8').trim() : undefined;
  } catch {
    return undefined; // no repository, or no git: the name of the branch is a nicety
  }
}
