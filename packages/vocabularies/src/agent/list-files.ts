import { failed } from '../claude-code/read-marks.js';
import { withPath } from '../table/with-path.js';
import { fitLines, MAX_RESULT } from '../render/shown-lines.js';
import { canonicalError } from '../table/composite.js';
import { resultOf } from '../table/result-of.js';
import { defineRow } from '../table/row.js';
import { takes } from '../table/takes.js';

interface ListArgs {
  readonly path: string;
  readonly recursive: boolean;
  readonly pattern?: string;
  readonly include_ignored: boolean;
  readonly limit: number;
}

/** `list_files`: what a directory holds. */
export const listFiles = defineRow<ListArgs>({
  name: 'list_files',
  displayName: 'List files',
  description:
    'Lists a directory, with recursive all below it; pattern keeps files like "*.test.ts" or "src/**/*.ts" (then always with all below). What .gitignore ' +
    'names is left out. For what stands in files use search.',
  parameters: takes([], {
    path: { type: 'string', default: '.', description: 'Directory.' },
    recursive: { type: 'boolean', default: false, description: 'Also what lies below its directories.' },
    pattern: { type: 'string', minLength: 1, maxLength: 255, description: 'A glob.' },
    include_ignored: { type: 'boolean', default: false, description: 'Also what .gitignore names.' },
    limit: { type: 'integer', minimum: 1, maximum: 2_000, default: 300, description: 'At most so many entries.' },
  }),
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['list_files'],
  stands: 'list_files',
  next: ({ path: given, recursive, pattern, include_ignored, limit }, [outcome], context) =>
    withPath(given, context, (path) => {
      const args = { path, recursive: recursive || pattern !== undefined, include_ignored, limit };
      if (outcome === undefined) return { call: { tool: 'list_files', args: pattern === undefined ? args : { ...args, pattern } } };
      if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
      const { entries = [], truncated } = resultOf('list_files', outcome);
      if (entries.length === 0) return { text: pattern === undefined ? `${path} is empty.` : `No files match ${pattern}.` };
      const lines = entries.map((entry) => (entry.type === 'directory' ? `${entry.path}/` : entry.path));
      const shown = fitLines(lines, MAX_RESULT);
      const cut =
        truncated === true || shown.length < lines.length ? ['[cut: there are more; narrow path or pattern, or raise limit]'] : [];
      return { text: [...shown, ...cut].join('\n') };
    }),
});
