import type { JsonObject, ResultOf } from '@codelab/tools';
import { failed } from '../claude-code/read-marks.js';
import { withPath } from '../table/with-path.js';
import { cutLine, fitLines, MAX_RESULT } from '../render/shown-lines.js';
import { canonicalError } from '../table/composite.js';
import { resultOf } from '../table/result-of.js';
import { defineRow, type Next, type UseResult } from '../table/row.js';
import { takes } from '../table/takes.js';

interface SearchArgs {
  readonly pattern: string;
  readonly path: string;
  readonly glob?: string;
  readonly ignore_case: boolean;
  readonly context: number;
  readonly files_only: boolean;
  readonly limit: number;
}

const escaped = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');

/** The arguments of the canonical tool, as models of other clients write them. */
const fromCanonical = ({ query, path = '.', pattern, regex, case_sensitive: sensitive, context_lines, limit }: JsonObject): JsonObject => ({
  pattern: typeof query === 'string' && regex !== true ? escaped(query) : (query ?? null),
  ...{ path, glob: pattern ?? null, ignore_case: sensitive !== true, context: context_lines ?? null, limit: limit ?? null },
});

/** `search`: a regular expression in the files of the workspace, by file. */
export const search = defineRow<SearchArgs>({
  name: 'search',
  displayName: 'Search files',
  description:
    'Searches file contents for a regular expression, as ripgrep does ("function \\\\w+\\\\(": escape what is meant literally), and shows matching lines by ' +
    'file; context adds lines around them, files_only gives paths. What .gitignore names is left out. Search before you read.',
  parameters: takes(['pattern'], {
    pattern: { type: 'string', minLength: 1, maxLength: 1_000, description: 'The regular expression.' },
    path: { type: 'string', default: '.', description: 'File or directory.' },
    glob: { type: 'string', description: 'Only files like "*.ts".' },
    ignore_case: { type: 'boolean', default: false, description: 'Upper and lower case are the same.' },
    context: { type: 'integer', minimum: 0, maximum: 20, default: 0, description: 'Lines before and after each match.' },
    files_only: { type: 'boolean', default: false, description: 'Only the paths of the files.' },
    limit: { type: 'integer', minimum: 1, maximum: 1_000, default: 100, description: 'At most so many matches, or files.' },
  }),
  aliases: { search_in_project: fromCanonical },
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['search_in_project'],
  stands: 'search_in_project',
  next: (args, [outcome], context) =>
    withPath(args.path, context, (path): Next => {
      if (outcome === undefined) return { call: { tool: 'search_in_project', args: toCall(args, path, context.has('x4')) } };
      if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
      return show(args, resultOf('search_in_project', outcome));
    }),
});

const toCall = (
  { pattern, glob, ignore_case: folds, context, files_only: filesOnly, limit }: SearchArgs,
  path: string,
  isNew: boolean,
): JsonObject => {
  const base = { query: pattern, path, regex: true, case_sensitive: !folds, limit, ...(glob && { pattern: glob }) };
  if (!isNew) return { ...base, context_lines: Math.min(context, 10) };
  return { ...base, mode: filesOnly ? 'files' : 'matches', before: context, after: context };
};

type Found = Partial<ResultOf<'search_in_project'>>;

function show({ files_only: filesOnly, path, glob }: SearchArgs, { matches = [], files, total, truncated }: Found): UseResult {
  const paths = files?.map(({ path }) => path) ?? [...new Set(matches.map(({ path }) => path))];
  const where = `${path === '.' ? 'the workspace' : path}${glob === undefined ? '' : `, files ${glob}`}`;
  if (paths.length === 0) return { text: `No matches in ${where}.` };
  const lines = filesOnly ? paths : byFile(matches);
  const shown = fitLines(lines, MAX_RESULT);
  const isCut = shown.length < lines.length || truncated === true || (total !== undefined && total > (files ?? matches).length);
  const all = total === undefined ? '' : ` of ${String(total)}`;
  const cut = isCut ? [`[cut: not all${all} are shown; narrow pattern, path or glob, or raise limit]`] : [];
  return { text: [...shown, ...cut].join('\n') };
}

/** A path, then its lines: `  12: text` for a match, `  11- text` around it. */
function byFile(matches: NonNullable<Found['matches']>): string[] {
  const lines: string[] = [];
  let [at, next] = ['', 0];
  for (const { path, line, text, before = [], after = [] } of matches) {
    if (path !== at) {
      lines.push(path);
      [at, next] = [path, 0];
    }
    const own = text.split('\n');
    const rows = [
      ...before.map((row, place) => [line - before.length + place, '-', row] as const),
      ...own.map((row, place) => [line + place, ':', row] as const),
      ...after.map((row, place) => [line + own.length + place, '-', row] as const),
    ];
    for (const [number, sign, row] of rows) {
      if (number < next) continue;
      lines.push(`  ${String(number)}${sign} ${cutLine(row)}`);
      next = number + 1;
    }
  }
  return lines;
}
