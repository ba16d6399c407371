import { failed } from '../claude-code/read-marks.js';
import { fitLines, MAX_RESULT } from '../render/shown-lines.js';
import { textIn } from '../render/text-in.js';
import { canonicalError } from '../table/composite.js';
import { defineRow } from '../table/row.js';
import { takes } from '../table/takes.js';
import { withPath } from '../table/with-path.js';

/** `view_repo_map`: the files of a directory with what each defines. */
export const viewRepoMap = defineRow<{ readonly path: string }>({
  name: 'view_repo_map',
  displayName: 'View map',
  description:
    'Shows the files below a directory with what each defines, those that others refer to most. Use it once to get to know a project.',
  parameters: takes([], { path: { type: 'string', default: '.', description: 'Directory.' } }),
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['index.map'],
  stands: 'index.map',
  next: ({ path: given }, [outcome], context) =>
    withPath(given, context, (path) => {
      if (outcome === undefined) return { call: { tool: 'index.map', args: { path } } };
      if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
      const lines = textIn(outcome.result, 'text').split('\n');
      const shown = fitLines(lines, MAX_RESULT);
      const cut = shown.length < lines.length ? ['[cut: look at one directory]'] : [];
      return { text: [...shown, ...cut].join('\n') || 'There is nothing in it.' };
    }),
});
