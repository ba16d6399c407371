import { cutLines } from '../../render/cut.js';
import { canonicalError } from '../../table/composite.js';
import { defineRow } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { failed, itemsResult } from '../items.js';

const MAX_LINES = 5_000;

/** Shows what differs from the last commit. */
export const viewDiff = defineRow<Record<never, never>>({
  name: 'view_diff',
  displayName: 'View diff',
  description:
    'Shows the changes of tracked files since the last commit, staged ones first, as a unified diff. Look at it before you commit.',
  parameters: takes([], {}),
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['git.diff'],
  stands: 'git.diff',
  files: () => ['.'],
  next: (_args, outcomes) => {
    const [staged, unstaged] = outcomes;
    if (staged === undefined) return { call: { tool: 'git.diff', args: { path: '.', staged: true } } };
    if (!staged.ok) return failed(canonicalError(staged.code, staged.message));
    if (unstaged === undefined) return { call: { tool: 'git.diff', args: { path: '.', staged: false } } };
    if (!unstaged.ok) return failed(canonicalError(unstaged.code, unstaged.message));
    const diffs = [staged, unstaged].map(({ result }) => (typeof result.diff === 'string' ? result.diff : ''));
    const text = diffs.map((diff) => (diff === '' || diff.endsWith('\n') ? diff : `${diff}\n`)).join('');
    const lines = text.split('\n').slice(0, -1);
    const item = { name: 'Diff', description: 'The current git diff' };
    if (lines.length === 0) return itemsResult({ ...item, content: 'No changes.' });
    const rest = (): string => 'see the diff of one file with run_terminal_command';
    return itemsResult({ ...item, content: cutLines(lines.slice(0, MAX_LINES), rest, { total: lines.length }) });
  },
});
