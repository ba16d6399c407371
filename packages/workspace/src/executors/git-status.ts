import { MAX_STATUS_FILES } from '@codelab/tools';
import type { Executor } from './executor.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import { belowPrefix, parseStatus } from '../git/parse-status.js';
import { succeeded, withGit } from '../git/prepare-git.js';

/** Bytes of git's answer that are read: as many as so many files with long paths have. */
const MAX_STATUS_BYTES = 4 * 1024 * 1024;

const ARGS = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--ignore-submodules=dirty', '--find-renames', '--'];

/** Shows the branch and the files that are not as in the last commit (docs/specification/tools.md#gitstatus). */
export const gitStatus: Executor<'git.status'> = {
  async run({ path: text = '.' }, context) {
    const path = toWorkspacePath(text);
    return withGit(context, async (git) => {
      const outcome = await git.read([...ARGS, path.text], MAX_STATUS_BYTES);
      const report = parseStatus(succeeded(outcome, 'status').toString('utf8'));
      const all = report.files.map((file) => belowPrefix(file, git.repository.prefix)).filter((file) => file !== undefined);
      const files = all.slice(0, MAX_STATUS_FILES);
      const truncated = outcome.kind === 'over_limit' || all.length > files.length;
      return { ...report, clean: all.length === 0 && !truncated, files, truncated };
    });
  },
};
