import type { ResultOf } from '@codelab/tools';
import { RE2JS } from 're2js';
import { cutLine, fitLines, MAX_RESULT } from '../render/shown-lines.js';
import type { UseResult } from '../table/row.js';
import type { UseContext } from '../table/use-context.js';
import type { GrepArgs } from './grep-args.js';

/** An answer of `search_in_project`. */
export type Found = Partial<ResultOf<'search_in_project'>>;
type Match = NonNullable<Found['matches']>[number];

/** The files of matches, in their order. */
export const countByFile = (matches: readonly Match[]): NonNullable<Found['files']> => {
  const byPath = new Map<string, number>();
  for (const { path } of matches) byPath.set(path, (byPath.get(path) ?? 0) + 1);
  return [...byPath].map(([path, count]) => ({ path, count, mtime_ms: 0 }));
};

const NOTHING: UseResult = { text: 'No matches found' };

/** What isn't shown is told, with the way to it. */
const cutNote = ({ offset }: GrepArgs, shown: number, total: number | undefined): string[] =>
  total !== undefined && total > offset + shown ? [`[${String(shown)} of ${String(total)}; offset ${String(offset + shown)} goes on]`] : [];

/** `files_with_matches`: one path a line. */
export function showPaths(args: GrepArgs, { files = [], total }: Found, { toAbsolute }: UseContext): UseResult {
  if (files.length === 0) return NOTHING;
  const paths = files.map(({ path }) => toAbsolute(path));
  const lines = fitLines(paths, MAX_RESULT);
  return { text: [...lines, ...cutNote(args, lines.length, total ?? files.length)].join('\n') };
}

/** `count`: matching lines of each file, and the sums. */
export function showCounts(args: GrepArgs, result: Found, { toAbsolute }: UseContext): UseResult {
  const { files = [] } = result;
  if (files.length === 0) return NOTHING;
  const counted = files.map(({ path, count }) => `${toAbsolute(path)}:${String(count)}`);
  const lines = fitLines(counted, MAX_RESULT);
  const { total = files.length, total_matches: sum = files.reduce((all, { count }) => all + count, 0) } = result;
  return { text: [...lines, ...cutNote(args, lines.length, total), `${String(sum)} lines in ${String(total)} files`].join('\n') };
}

/** `content`: the lines themselves, with those around them if these were asked for. */
export function showLines(args: GrepArgs, { matches = [], total }: Found, context: UseContext): UseResult {
  if (matches.length === 0) return NOTHING;
  const groups = args['-o'] ? matches.map((match) => onlyMatched(args, match, context)) : toGroups(args, matches, context);
  const isParted = !args['-o'] && [args['-A'], args['-B'], args['-C'], args.context].some((lines = 0) => lines > 0);
  const rows = groups.flatMap((group, place) => (isParted && place > 0 ? [{ text: '--', matches: 0 }, ...group] : group));
  const fitting = fitLines(
    rows.map(({ text }) => text),
    MAX_RESULT,
  );
  const shown = rows.slice(0, fitting.length).reduce((sum, row) => sum + row.matches, 0);
  return { text: [...fitting, ...cutNote(args, shown, total)].join('\n') };
}

/** A line of the result, and how many matches begin in it. */
interface Row {
  readonly text: string;
  readonly matches: number;
}

const lineOf = (args: GrepArgs, shown: string, line: number, text: string, mark: ':' | '-'): string =>
  args['-n'] ? `${shown}${mark}${String(line)}${mark}${cutLine(text)}` : `${shown}${mark}${cutLine(text)}`;

/** Matches with the lines around them, as ripgrep prints them: lines that follow one another are one group, and none stands there twice. */
function toGroups(args: GrepArgs, matches: readonly Match[], { toAbsolute }: UseContext): Row[][] {
  const groups: Row[][] = [];
  const matched = new Set(matches.map(({ path, line }) => `${path}:${String(line)}`));
  let [at, next] = ['', 0];
  for (const { path, line, text, before = [], after = [] } of matches) {
    const [shown, first] = [toAbsolute(path), line];
    const rows = before.map((row, place, all) => ({ number: first - all.length + place, row, mark: '-' as const }));
    const own = text.split('\n').map((row, place) => ({ number: first + place, row, mark: ':' as const }));
    const later = after.map((row, place) => ({ number: first + own.length + place, row, mark: '-' as const }));
    let group = groups.at(-1);
    const begin = rows[0]?.number ?? first;
    if (group === undefined || at !== shown || begin > next) groups.push((group = []));
    if (at !== shown) next = 0;
    for (const { number, row, mark } of [...rows, ...own, ...later]) {
      if (number < next || (mark === '-' && matched.has(`${path}:${String(number)}`))) continue;
      group.push({ text: lineOf(args, shown, number, row, mark), matches: number === first ? 1 : 0 });
      next = number + 1;
    }
    at = shown;
  }
  return groups;
}

/** The parts of a line that match; all of the line where they aren't found, such as behind its cut end. */
function onlyMatched(args: GrepArgs, { path, line, text }: Match, { toAbsolute }: UseContext): Row[] {
  const parts = matchedParts(args, text);
  const shown = parts.length === 0 ? [text] : parts;
  return shown.map((part, place) => ({ text: lineOf(args, toAbsolute(path), line, part, ':'), matches: place === 0 ? 1 : 0 }));
}

const matchedParts = ({ pattern, '-i': ignoresCase, multiline }: GrepArgs, text: string): string[] => {
  const flags = (ignoresCase ? RE2JS.CASE_INSENSITIVE : 0) | (multiline ? RE2JS.DOTALL | RE2JS.MULTILINE : 0);
  const parts: string[] = [];
  try {
    const matcher = RE2JS.compile(pattern, flags).matcher(text);
    while (matcher.find()) parts.push(matcher.group() ?? '');
  } catch {
    return []; // an expression that only ripgrep reads
  }
  return parts.filter((part) => part !== '');
};
