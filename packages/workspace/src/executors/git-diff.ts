import { LIMITS } from '@codelab/protocol';
import type { GitDiffArguments } from '@codelab/tools';
import type { Executor } from '../executor.js';
import { toWorkspacePath } from '../files/parse-path.js';
import { findRepository } from '../git/find-repository.js';
import { runGit } from '../git/run-git.js';
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

/** Shows changes of tracked files (seed 003, "git.diff"). */
export const gitDiff: Executor<GitDiffArguments> = {
  async run({ path: text, staged = false }, { root, files, signal }) {
    const path = toWorkspacePath(text);
    await files.assertPresent();
    const { config } = await findRepository(root, signal);
    const args = ['diff', ...(staged ? ['--cached'] : []), ...FORMAT, '--', path.text];
    const limit = LIMITS.MAX_DIFF_BYTES;
    const outcome = await runGit({ root, args, config, signal, limit });
    if (outcome.kind === 'over_limit')
      throw new ToolFailure('FILE_TOO_LARGE', `The diff of ${path.text} has more than ${String(limit)} bytes; ask for a part of it.`);
    if (outcome.code !== 0) throw new ToolFailure('GIT_ERROR', `git diff: ${outcome.complaint}`);
    return { diff: decode(outcome.stdout) };
  },
};
