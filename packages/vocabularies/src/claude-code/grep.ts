import type { ResultOf } from '@codelab/tools';
import { RE2JS } from 're2js';
import { canonicalError } from '../table/composite.js';
import { cutLine, fitLines, MAX_RESULT } from '../render/shown-lines.js';
import { resultOf } from '../table/result-of.js';
import { defineRow, type Next, type UseResult } from '../table/row.js';
import { takes } from '../table/takes.js';
import type { UseContext } from '../table/use-context.js';
import { failed, withPath } from './read-marks.js';

interface GrepArgs {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly type?: string;
  readonly output_mode: 'files_with_matches' | 'content' | 'count';
  readonly '-A'?: number;
  readonly '-B'?: number;
  readonly '-C'?: number;
  readonly context?: number;
  readonly '-n': boolean;
  readonly '-o': boolean;
  readonly '-i': boolean;
  readonly head_limit: number;
  readonly offset: number;
  readonly multiline: boolean;
}

const LINES = { type: 'integer', minimum: 0, maximum: 100 } as const;

/** `Grep`: a regular expression in the files of the workspace. */
export const grep = defineRow<GrepArgs>({
  name: 'Grep',
  displayName: 'Search files',
  description:
    'Searches file contents for a regular expression, as ripgrep does: escape literal braces and parentheses. Gives paths (files_with_matches), lines ' +
    '(content, with context by -A, -B, -C) or counts. Use it instead of grep in Bash. What .gitignore names is left out unless path names it.',
  parameters: takes(['pattern'], {
    pattern: { type: 'string', minLength: 1, description: 'The regular expression: "log.*Error", "function\\\\s+\\\\w+".' },
    path: { type: 'string', description: 'File or directory; the current directory without.' },
    glob: { type: 'string', description: 'Only files like "*.js" or "**/*.tsx".' },
    type: { type: 'string', description: 'Only files of a type: js, py, rust, go …' },
    output_mode: { type: 'string', enum: ['files_with_matches', 'content', 'count'], default: 'files_with_matches' },
    '-A': { ...LINES, description: 'Lines after each match (content).' },
    '-B': { ...LINES, description: 'Lines before each match (content).' },
    '-C': { ...LINES, description: 'Lines before and after (content).' },
    context: { ...LINES, description: 'The same as -C.' },
    '-n': { type: 'boolean', default: true, description: 'Line numbers (content).' },
    '-o': { type: 'boolean', default: false, description: 'Only what matched (content).' },
    '-i': { type: 'boolean', default: false, description: 'Upper and lower case are the same.' },
    head_limit: { type: 'integer', minimum: 0, default: 250, description: 'At most so many entries; 0: all.' },
    offset: { type: 'integer', minimum: 0, default: 0, description: 'Entries to pass over.' },
    multiline: { type: 'boolean', default: false, description: 'Matches may go over lines.' },
  }),
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['search_in_project'],
  stands: 'search_in_project',
  next: (args, [outcome], context) =>
    withPath(args.path || context.marks.cwd, context, (path): Next => {
      if (outcome === undefined) return search(args, path, context);
      if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
      const { output_mode: mode } = args;
      const result = resultOf('search_in_project', outcome);
      if (mode === 'content') return content(args, result, context);
      const files = result.files ?? countByFile(result.matches ?? []);
      return mode === 'count' ? counts(args, files, result, context) : paths(args, files, result, context);
    }),
});

const MODES = { files_with_matches: 'files', content: 'matches', count: 'counts' } as const;
/** What a regular expression has that a plain text hasn't. */
const SPECIAL = /[\\^$.|?*+()[\]{}]/;
const MAX_ENTRIES = 10_000;

function search(args: GrepArgs, path: string, context: UseContext): Next {
  const base = { query: args.pattern, path, case_sensitive: !args['-i'] };
  if (!context.has('x4')) {
    if (SPECIAL.test(args.pattern)) return failed(canonicalError('INVALID_ARGUMENTS', 'pattern: this client searches for plain text only'));
    return { call: { tool: 'search_in_project', args: base } };
  }
  const around = args['-C'] ?? args.context ?? 0;
  const lines = args.output_mode === 'content' && !args['-o'] ? { before: args['-B'] ?? around, after: args['-A'] ?? around } : {};
  const { glob, type, multiline, offset } = args;
  const filter = { ...(glob && { glob }), ...(type && { type }), ...(args.path && { include_ignored: true }) };
  const limit = args.head_limit === 0 ? MAX_ENTRIES : Math.min(args.head_limit, MAX_ENTRIES);
  const mode = MODES[args.output_mode];
  return { call: { tool: 'search_in_project', args: { ...base, regex: true, ...filter, ...lines, multiline, mode, limit, offset } } };
}

type Found = Partial<ResultOf<'search_in_project'>>;
type Match = NonNullable<Found['matches']>[number];
type FileCount = Pick<NonNullable<Found['files']>[number], 'path' | 'count'>;

/** Of an older client, which only gives matches. */
const countByFile = (matches: readonly Match[]): FileCount[] => {
  const byPath = new Map<string, number>();
  for (const { path } of matches) byPath.set(path, (byPath.get(path) ?? 0) + 1);
  return [...byPath].map(([path, count]) => ({ path, count }));
};

const NOTHING: UseResult = { text: 'No matches found' };

/** What isn't shown is told, with the way to it. */
const cutNote = ({ offset }: GrepArgs, shown: number, total: number | undefined): string[] =>
  total !== undefined && total > offset + shown ? [`[${String(shown)} of ${String(total)}; offset ${String(offset + shown)} goes on]`] : [];

function paths(args: GrepArgs, files: readonly FileCount[], { total }: Found, { toAbsolute }: UseContext): UseResult {
  if (files.length === 0) return NOTHING;
  const lines = fitLines(
    files.map(({ path }) => toAbsolute(path)),
    MAX_RESULT,
  );
  return { text: [...lines, ...cutNote(args, lines.length, total ?? files.length)].join('\n') };
}

function counts(args: GrepArgs, files: readonly FileCount[], result: Found, { toAbsolute }: UseContext): UseResult {
  if (files.length === 0) return NOTHING;
  const lines = fitLines(
    files.map(({ path, count }) => `${toAbsolute(path)}:${String(count)}`),
    MAX_RESULT,
  );
  const { total = files.length, total_matches: sum = files.reduce((all, { count }) => all + count, 0) } = result;
  return { text: [...lines, ...cutNote(args, lines.length, total), `${String(sum)} lines in ${String(total)} files`].join('\n') };
}

function content(args: GrepArgs, result: Found, context: UseContext): UseResult {
  const { matches = [] } = result;
  if (matches.length === 0) return NOTHING;
  const groups = args['-o'] ? matches.map((match) => onlyMatched(args, match, context)) : toGroups(args, matches, context);
  const hasContext = (args['-A'] ?? args['-B'] ?? args['-C'] ?? args.context ?? 0) > 0 && !args['-o'];
  const lines: string[] = [];
  let [shown, characters] = [0, 0];
  for (const group of groups) {
    const added = hasContext && lines.length > 0 ? ['--', ...group.lines] : group.lines;
    characters += added.reduce((sum, line) => sum + line.length + 1, 0);
    if (characters > MAX_RESULT && shown > 0) break;
    lines.push(...added);
    shown += group.matches;
  }
  return { text: [...lines, ...cutNote(args, shown, result.total)].join('\n') };
}

/** Lines that belong together, and how many matches are among them. */
interface Group {
  readonly lines: string[];
  matches: number;
}

const lineOf = (args: GrepArgs, shown: string, line: number, text: string, mark: ':' | '-'): string =>
  args['-n'] ? `${shown}${mark}${String(line)}${mark}${cutLine(text)}` : `${shown}${mark}${cutLine(text)}`;

/** Matches with the lines around them, as ripgrep prints them: lines that follow one another are one group, and none stands there twice. */
function toGroups(args: GrepArgs, matches: readonly Match[], { toAbsolute }: UseContext): Group[] {
  const groups: Group[] = [];
  const matched = new Set(matches.map(({ path, line }) => `${path}:${String(line)}`));
  let [at, next] = ['', 0];
  for (const { path, line, text, before = [], after = [] } of matches) {
    const [shown, first] = [toAbsolute(path), line];
    const rows = before.map((row, place, all) => ({ number: first - all.length + place, row, mark: '-' as const }));
    const own = text.split('\n').map((row, place) => ({ number: first + place, row, mark: ':' as const }));
    const later = after.map((row, place) => ({ number: first + own.length + place, row, mark: '-' as const }));
    let group = groups.at(-1);
    const begin = rows[0]?.number ?? first;
    if (group === undefined || at !== shown || begin > next) groups.push((group = { lines: [], matches: 0 }));
    if (at !== shown) next = 0;
    for (const { number, row, mark } of [...rows, ...own, ...later]) {
      if (number < next || (mark === '-' && matched.has(`${path}:${String(number)}`))) continue;
      group.lines.push(lineOf(args, shown, number, row, mark));
      next = number + 1;
    }
    at = shown;
    group.matches += 1;
  }
  return groups;
}

/** The parts of a line that match; all of the line where the expression is one that only ripgrep reads. */
function onlyMatched(args: GrepArgs, { path, line, text }: Match, { toAbsolute }: UseContext): Group {
  const parts: string[] = [];
  try {
    const matcher = RE2JS.compile(args.pattern, args['-i'] ? RE2JS.CASE_INSENSITIVE : 0).matcher(text);
    while (matcher.find()) if (matcher.group() !== '') parts.push(matcher.group() ?? '');
  } catch {
    parts.push(text);
  }
  return { lines: parts.map((part) => lineOf(args, toAbsolute(path), line, part, ':')), matches: 1 };
}
