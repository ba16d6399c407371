import { LIMITS } from '@codelab/protocol';
import type { Executor } from './executor.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import { succeeded, withGit, type Git } from '../git/prepare-git.js';
import { withUntracked } from '../git/with-untracked.js';
import type { Environment } from '../inherited-environment.js';
import { ToolFailure } from '../tool-failure.js';

/** The format of the specification whatever the user's settings, without programs of the repository, and only what is below the workspace. */
const FORMAT = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--relative',
  '--unified=3',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--inter-hunk-context=0',
];

const decode = (diff: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(diff);
  } catch {
    throw new ToolFailure(
      'ENCODING_ERROR',
      `The changes of ${firstUndecodable(diff)} are not valid UTF-8; ask for other paths one by one.`,
    );
  }
};

/** The file whose part of the diff is not UTF-8. */
const firstUndecodable = (diff: Buffer): string => {
  const parts = diff.toString('latin1').split(/^(?=diff --git )/m);
  const broken = parts.find((part) => Buffer.from(part, 'latin1').toString('utf8').includes('\ufffd'));
  return /^diff --git a\/(.*?) b\//.exec(broken ?? '')?.[1] ?? 'a file';
};

const readDiff = async (
  git: Git,
  { paths, staged }: { paths: readonly string[]; staged: boolean },
  variables: Environment,
): Promise<string> => {
  const args = ['diff', ...(staged ? ['--cached'] : []), ...FORMAT, '--', ...paths];
  const limit = LIMITS.MAX_DIFF_BYTES;
  const outcome = await git.read(args, limit, { variables });
  if (outcome.kind === 'over_limit') {
    const what = paths.length === 1 ? paths[0]! : `${String(paths.length)} paths`;
    throw new ToolFailure('FILE_TOO_LARGE', `The diff of ${what} has more than ${String(limit)} bytes; ask for a part of it.`);
  }
  return decode(succeeded(outcome, 'diff'));
};

/** Shows changes below the workspace (docs/specification/tools.md#gitdiff). */
export const gitDiff: Executor<'git.diff'> = {
  async run({ path, paths: further = [], staged = false, untracked = false }, context) {
    if (staged && untracked)
      throw new ToolFailure('INVALID_ARGUMENTS', 'git.diff: an untracked file is not staged; give "staged" or "untracked".');
    const paths = [...new Set([path, ...further].map((text) => toWorkspacePath(text).text))];
    return withGit(context, async (git) => {
      if (!untracked) return { diff: await readDiff(git, { paths, staged }, {}) };
      return withUntracked(git, paths, async (variables, leftOut) => ({
        diff: await readDiff(git, { paths, staged }, variables),
        left_out: leftOut.length === 0 ? undefined : leftOut,
      }));
    });
  },
};
