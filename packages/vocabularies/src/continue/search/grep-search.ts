import { isJsonObject, type JsonObject } from '@codelab/tools';
import { cutLines } from '../../render/cut.js';
import { canonicalError } from '../../table/composite.js';
import { defineRow, type Next } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import type { UseContext } from '../../table/use-context.js';
import { withPath } from '../../table/with-path.js';
import { failed, itemsResult } from '../items.js';
import { textIn } from '../../render/text-in.js';

interface Args {
  readonly query: string;
  readonly path?: string;
  readonly filePattern?: string;
}

const MAX_MATCHES = 100;
const MAX_CHARACTERS = 7_500;
const CONTEXT_LINES = 2;

/** Finds lines by a regular expression. */
export const grepSearch = defineRow<Args>({
  name: 'grep_search',
  displayName: 'Search',
  description:
    'Searches the files of the workspace for a regular expression of ripgrep (no look-around), in any letter case, and shows the lines ' +
    'around each match. Escape signs that you mean as they are: "foo\\(". At most 100 matches: narrow it by path and filePattern.',
  parameters: takes(['query'], {
    query: { type: 'string', minLength: 1, maxLength: 1_000, description: 'The regular expression.' },
    path: { type: 'string', description: 'File or directory to search in, relative to the workspace root; all of it if left out.' },
    filePattern: { type: 'string', maxLength: 255, description: 'Only files that match this glob, such as "*.ts".' },
  }),
  argumentAliases: { pattern: 'query' },
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['search_in_project'],
  stands: 'search_in_project',
  check: ({ query }, context) =>
    !context.has('x4') && /[\\^$.*+?()[\]{}|]/.test(query)
      ? 'query: a regular expression; expected plain text, since this client searches for nothing else'
      : undefined,
  next: ({ query, path: given = '.', filePattern }, [outcome], context) =>
    withPath(given || '.', context, (path): Next => {
      if (outcome === undefined) return { call: { tool: 'search_in_project', args: searchArgs({ query, path, filePattern }, context) } };
      if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
      const item = { name: 'Search results', description: `Results of: ${query}` };
      const found = matchesOf(outcome.result).slice(0, MAX_MATCHES);
      if (found.length === 0) return itemsResult({ ...item, content: 'No matches.' });
      return itemsResult({ ...item, content: rendered(found, outcome.result) });
    }),
});

const searchArgs = ({ query, path, filePattern }: Args & { readonly path: string }, context: UseContext): JsonObject => {
  const where = { query, path, case_sensitive: false };
  if (!context.has('x4')) return where;
  const glob = filePattern === undefined || filePattern === '' ? {} : { glob: filePattern };
  return { ...where, ...glob, regex: true, before: CONTEXT_LINES, after: CONTEXT_LINES, mode: 'matches', limit: MAX_MATCHES };
};

interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const matchesOf = ({ matches }: JsonObject): Match[] =>
  (Array.isArray(matches) ? matches : []).flatMap((match: unknown) =>
    isJsonObject(match) && typeof match.path === 'string'
      ? [
          {
            path: match.path,
            line: Number(match.line),
            text: textIn(match, 'text'),
            before: textsOf(match.before),
            after: textsOf(match.after),
          },
        ]
      : [],
  );

/** Each file as `./{path}`, then its lines by number, each once. */
function rendered(matches: readonly Match[], { total, truncated }: JsonObject): string {
  const files = new Map<string, Match[]>();
  for (const match of matches) files.set(match.path, [...(files.get(match.path) ?? []), match]);
  const lines = [...files].flatMap(([path, found]) => [{ line: `./${path}`, isMatch: false }, ...linesOf(found)]);
  const all = typeof total === 'number' ? total : matches.length;
  const more = 'narrow the query, or the search by path and filePattern';
  if (all <= matches.length && truncated !== true && lines.reduce((sum, { line }) => sum + line.length + 1, -1) <= MAX_CHARACTERS) {
    return lines.map(({ line }) => line).join('\n');
  }
  const texts = lines.map(({ line }) => line);
  const cut = cutLines(texts, () => more, { limit: MAX_CHARACTERS, total: Infinity }).split('\n');
  const shown = lines.slice(0, cut.length - 1).filter(({ isMatch }) => isMatch).length;
  const ofAll = truncated === true && typeof total !== 'number' ? `more than ${String(all)}` : String(all);
  return [...cut.slice(0, -1), `[cut: ${String(shown)} of ${ofAll}; ${more}]`].join('\n');
}

function linesOf(matches: readonly Match[]): { readonly line: string; readonly isMatch: boolean }[] {
  const texts = new Map<number, string>();
  const hits = new Set(matches.map(({ line }) => line));
  for (const { line, text, before, after } of matches) {
    const around = [...before, text, ...after];
    for (const [place, one] of around.entries()) {
      const number = line - before.length + place;
      if (!hits.has(number) || number === line) texts.set(number, one);
    }
  }
  const sorted = [...texts].toSorted(([one], [other]) => one - other);
  return sorted.map(([number, text]) => ({ line: `${String(number)}: ${text}`, isMatch: hits.has(number) }));
}
