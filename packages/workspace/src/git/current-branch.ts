import { runGit } from './run-git.js';

/** Bytes of a branch's name. */
const MAX_NAME = 1024;

/** The branch that is checked out in a folder; `undefined` without one, without a repository and without git. */
export async function currentBranch(root: string): Promise<string | undefined> {
  const signal = new AbortController().signal;
  try {
    const outcome = await runGit({ root, args: ['symbolic-ref', '--quiet', '--short', 'HEAD'], signal, limit: MAX_NAME });
    return outcome.kind === 'exited' && outcome.code === 0 ? outcome.stdout.toString('utf8').trim() : undefined;
  } catch {
    return undefined; // git is missing: the name of the branch is a nicety
  }
}
