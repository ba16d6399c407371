import type { ResultOf } from '@codelab/tools';
import type { Executor } from './executor.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import { succeeded, withGit, type Git } from '../git/prepare-git.js';

/** Bytes of commits in one answer; what is beyond counts as older. */
const MAX_LOG_BYTES = 2 * 1024 * 1024;

const DEFAULT_COMMITS = 10;

const FIELDS = ['%H', '%an', '%ae', '%aI', '%s', '%b', '%P'] as const;

const ARGS = ['log', '-z', `--format=${FIELDS.join('%x00')}`, '--encoding=UTF-8', '--no-show-signature', '--no-notes', '--no-patch'];

/** The whole history of the workspace's files; that of a repository's top needs no filter, and has merges in it. */
const pathsOf = (path: string, { repository }: Git): readonly string[] => (path === '.' && repository.prefix === '' ? [] : ['--', path]);

const parseLog = (text: string): ResultOf<'git.log'>['commits'] => {
  const fields = text.split('\0');
  return Array.from({ length: Math.floor(fields.length / FIELDS.length) }, (_, index) => {
    const [sha, author, email, date, subject, body, parents] = fields.slice(index * FIELDS.length, (index + 1) * FIELDS.length);
    return {
      sha: sha!,
      author: author!,
      email: email!,
      date: date!,
      subject: subject!,
      body: body!.trimEnd(),
      parents: parents!.split(' ').filter((parent) => parent !== ''),
    };
  });
};

/** Shows the latest commits (docs/specification/tools.md#gitlog). */
export const gitLog: Executor<'git.log'> = {
  async run({ limit = DEFAULT_COMMITS, path: text = '.' }, context) {
    const path = toWorkspacePath(text);
    return withGit(context, async (git) => {
      if (!(await git.test(['rev-parse', '--verify', '--quiet', 'HEAD']))) return { commits: [], truncated: false };
      const outcome = await git.read([...ARGS, `--max-count=${String(limit + 1)}`, 'HEAD', ...pathsOf(path.text, git)], MAX_LOG_BYTES);
      const commits = parseLog(succeeded(outcome, 'log').toString('utf8'));
      return { commits: commits.slice(0, limit), truncated: commits.length > limit || outcome.kind === 'over_limit' };
    });
  },
};
