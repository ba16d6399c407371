import { gitOutput } from './git-output.js';
import type { Repository } from './find-repository.js';

/**
 * The tracked files under the workspace that have staged or unstaged changes, as paths from the top of the repository; for a rename the
 * new one. Untracked files don't count.
 */
export async function changedFiles(root: string, repository: Repository, signal: AbortSignal): Promise<readonly string[]> {
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=no', '--ignore-submodules=dirty', '--no-renames', '--', '.'];
  const answer = await gitOutput({ root, args, config: repository.config, signal });
  return answer
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice(3));
}
