import { isJsonObject, type JsonObject } from '@codelab/tools';
import { cutLines } from '../../render/cut.js';
import { canonicalError } from '../../table/composite.js';
import { defineRow, type ContextItem, type Next, type Outcome } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import type { UseContext } from '../../table/use-context.js';
import { withPath } from '../../table/with-path.js';
import { failed, fileItem, itemsResult } from '../items.js';
import { textIn } from '../../render/text-in.js';

const LOOKS = { policy: 'ask', readonly: true, idempotency: 'safe' } as const;

const hitsOf = ({ hits }: JsonObject, context: UseContext): ContextItem[] =>
  (Array.isArray(hits) ? hits : []).flatMap((hit: unknown) => {
    if (!isJsonObject(hit) || typeof hit.path !== 'string') return [];
    const place = `${hit.path}:${textIn(hit, 'start_line')}-${textIn(hit, 'end_line')}`;
    return [fileItem(hit.path, `${place}\n${textIn(hit, 'text').replace(/\n$/, '')}`, context, place)];
  });

/** Finds code by what it is about. */
export const codebase = defineRow<{ readonly query: string }>({
  ...LOOKS,
  name: 'codebase',
  displayName: 'Search the code',
  description: 'Finds places of the code by what they are about, where you do not know the words that grep_search would need.',
  parameters: takes(['query'], { query: { type: 'string', minLength: 1, maxLength: 1_000, description: 'What the code does.' } }),
  needs: ['index.search'],
  stands: 'index.search',
  next: ({ query }, [outcome], context) => {
    if (outcome === undefined) return { call: { tool: 'index.search', args: { query, limit: 15 } } };
    if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
    const items = hitsOf(outcome.result, context);
    const note = textIn(outcome.result, 'note');
    const told = { name: 'Code', description: `Places for: ${query}` };
    if (items.length === 0) return itemsResult({ ...told, content: ['No matches.', note].join(' ').trim() });
    return itemsResult(...items, ...(note === '' ? [] : [{ ...told, content: note }]));
  },
});

const map = (path: string | undefined, [outcome]: readonly Outcome[]): Next => {
  if (outcome === undefined) return { call: { tool: 'index.map', args: path === undefined ? {} : { path } } };
  if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
  const { text } = outcome.result;
  const lines = typeof text === 'string' ? text.replace(/\n+$/, '').split('\n') : [];
  return itemsResult({
    name: 'Map',
    description: `What the files below ${path ?? '.'} define`,
    content: cutLines(lines, () => 'look at one directory with view_subdirectory'),
  });
};

/** Shows what the files of the workspace define. */
export const viewRepoMap = defineRow<Record<never, never>>({
  ...LOOKS,
  name: 'view_repo_map',
  displayName: 'View map',
  description: 'Shows the files of the workspace with what each defines. Use it once, to get to know a project.',
  parameters: takes([], {}),
  needs: ['index.map'],
  stands: 'index.map',
  next: (_args, outcomes) => map(undefined, outcomes),
});

/** The same of one directory. */
export const viewSubdirectory = defineRow<{ readonly directory_path: string }>({
  ...LOOKS,
  name: 'view_subdirectory',
  displayName: 'View directory',
  description: 'Shows the files of one directory with what each defines.',
  parameters: takes(['directory_path'], {
    directory_path: { type: 'string', minLength: 1, description: 'Directory, relative to the workspace root.' },
  }),
  argumentAliases: { path: 'directory_path' },
  needs: ['index.map'],
  stands: 'index.map',
  next: ({ directory_path: given }, outcomes, context) => withPath(given, context, (path) => map(path, outcomes)),
});
