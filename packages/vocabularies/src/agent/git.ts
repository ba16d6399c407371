import type { JsonObject, ResultOf } from '@codelab/tools';
import { failed } from '../claude-code/read-marks.js';
import { pathsOf, withPath } from '../table/with-path.js';
import { cutLines } from '../render/cut.js';
import { canonicalError } from '../table/composite.js';
import { resultOf } from '../table/result-of.js';
import { defineRow, type Next, type Outcome } from '../table/row.js';
import { takes } from '../table/takes.js';

const PATH = { type: 'string', default: '.', description: 'File or directory.' } as const;

/** The one call of a row, then the text for its result. */
const once = (
  call: { readonly tool: string; readonly args: JsonObject },
  outcome: Outcome | undefined,
  tell: (outcome: Extract<Outcome, { ok: true }>) => string,
): Next => {
  if (outcome === undefined) return { call };
  return outcome.ok ? { text: tell(outcome) } : failed(canonicalError(outcome.code, outcome.message));
};

/** `git_status`: branch and changed files. */
export const gitStatus = defineRow<{ readonly path: string }>({
  name: 'git_status',
  displayName: 'Git status',
  description: 'Shows the branch and the changed, staged and untracked files.',
  parameters: takes([], { path: PATH }),
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['git.status'],
  stands: 'git.status',
  files: ({ path }, context) => pathsOf([path], context),
  next: ({ path: given }, [outcome], context) =>
    withPath(given, context, (path) =>
      once({ tool: 'git.status', args: { path } }, outcome, (done) => tellStatus(resultOf('git.status', done))),
    ),
});

type Status = Partial<ResultOf<'git.status'>>;

const tellStatus = ({ branch, upstream, ahead = 0, behind = 0, files = [] }: Status): string => {
  const distance = upstream === undefined ? '' : ` (${upstream}: ${String(ahead)} ahead, ${String(behind)} behind)`;
  const lines = files.map(({ path, staged, unstaged, from }) => {
    const states = [staged == null ? '' : `staged ${staged}`, unstaged ?? ''].filter((state) => state !== '');
    return `${states.join(', ')}: ${from === undefined ? '' : `${from} → `}${path}`;
  });
  return [`On ${branch ?? 'no branch'}${distance}.`, lines.length === 0 ? 'Nothing changed.' : cutLines(lines, () => 'give a path')].join(
    '\n',
  );
};

/** `git_diff`: changes of tracked files. */
export const gitDiff = defineRow<{ readonly path: string; readonly staged: boolean }>({
  name: 'git_diff',
  displayName: 'Git diff',
  description: 'Shows the changes of tracked files as a unified diff: unstaged ones, or with staged those in the index.',
  parameters: takes([], { path: PATH, staged: { type: 'boolean', default: false, description: 'Those in the index.' } }),
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['git.diff'],
  stands: 'git.diff',
  files: ({ path }, context) => pathsOf([path], context),
  next: ({ path: given, staged }, [outcome], context) =>
    withPath(given, context, (path) =>
      once({ tool: 'git.diff', args: { path, staged } }, outcome, (done) => {
        const lines = (resultOf('git.diff', done).diff ?? '').replace(/\n$/, '').split('\n');
        return lines.join('') === '' ? 'No changes.' : cutLines(lines, () => 'give a path');
      }),
    ),
});

/** `git_log`: commits, a line each. */
export const gitLog = defineRow<{ readonly limit: number; readonly path: string }>({
  name: 'git_log',
  displayName: 'Git log',
  description: 'Shows the latest commits, newest first, a line each; with path those that changed it.',
  parameters: takes([], { limit: { type: 'integer', minimum: 1, maximum: 500, default: 10, description: 'At most so many.' }, path: PATH }),
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['git.log'],
  stands: 'git.log',
  files: ({ path }, context) => pathsOf([path], context),
  next: ({ limit, path: given }, [outcome], context) =>
    withPath(given, context, (path) =>
      once({ tool: 'git.log', args: { limit, path } }, outcome, (done) => {
        const { commits = [] } = resultOf('git.log', done);
        const lines = commits.map(({ sha, date, author, subject }) => `${sha.slice(0, 9)} ${date.slice(0, 10)} ${author}: ${subject}`);
        return lines.length === 0 ? 'No commits.' : cutLines(lines, () => 'give a path or a lower limit');
      }),
    ),
});

/** `git_commit`: commits what is staged, after staging files. */
export const gitCommit = defineRow<{ readonly message: string; readonly files?: readonly string[] }>({
  name: 'git_commit',
  displayName: 'Git commit',
  description: 'Commits what is staged; files are staged first. Only if the user asked for a commit. Hooks do not run.',
  parameters: takes(['message'], {
    message: { type: 'string', minLength: 1, maxLength: 65_536, description: 'The commit message.' },
    files: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 1_000, description: 'Files or directories to stage first.' },
  }),
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['git.commit'],
  stands: 'git.commit',
  files: () => ['.'],
  next: ({ message, files }, [outcome]) =>
    once({ tool: 'git.commit', args: files === undefined ? { message } : { message, files: [...files] } }, outcome, (done) => {
      const { sha = '', branch, files: committed = [] } = resultOf('git.commit', done);
      return `Committed ${sha.slice(0, 9)} on ${branch ?? 'no branch'}: ${String(committed.length)} file(s).`;
    }),
});

/** `git_branch`: lists, creates, switches or deletes branches. */
export const gitBranch = defineRow<{ readonly action: string; readonly name?: string }>({
  name: 'git_branch',
  displayName: 'Git branch',
  description: 'Lists, creates, switches or deletes local branches. create does not switch.',
  parameters: takes(['action'], {
    action: { type: 'string', enum: ['list', 'create', 'switch', 'delete'] },
    name: { type: 'string', minLength: 1, maxLength: 200, description: 'The branch; not with list.' },
  }),
  policy: 'ask',
  readonly: false,
  reads: true,
  idempotency: 'unsafe',
  needs: ['git.branch'],
  stands: 'git.branch',
  next: ({ action, name }, [outcome]) =>
    once({ tool: 'git.branch', args: name === undefined ? { action } : { action, name } }, outcome, (done) => {
      const { branches, current } = resultOf('git.branch', done);
      if (branches !== undefined)
        return branches.map((branch) => `${branch.current ? '* ' : '  '}${branch.name}`).join('\n') || 'No branches.';
      const did = { create: 'Created', switch: 'Switched to', delete: 'Deleted' }[action] ?? 'Done:';
      return `${did} ${name ?? ''}. Now on ${current ?? 'no branch'}.`;
    }),
});
