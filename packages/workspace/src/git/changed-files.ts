import { gitOutput } from './git-output.js';
import { withRepository } from './find-repository.js';

/**
 * The tracked files under the workspace that have staged or unstaged changes, as paths from the top of the repository; for a rename the
 * new one. Untracked files don't count.
 */
export async function changedFiles(root: string, signal: AbortSignal): Promise<readonly string[]> {
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=no', '--ignore-submodules=dirty', '--no-renames', '--', '.'];
  const answer = await withRepository(root, signal, ({ variables }) => gitOutput({ root, args, variables, signal }));
  return answer
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice(3));
}
