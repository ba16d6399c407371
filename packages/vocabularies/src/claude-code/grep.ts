import type { JsonObject } from '@codelab/tools';
import { canonicalError } from '../table/composite.js';
import { resultOf } from '../table/result-of.js';
import { defineRow, type Next } from '../table/row.js';
import { takes } from '../table/takes.js';
import type { UseContext } from '../table/use-context.js';
import type { GrepArgs } from './grep-args.js';
import { countByFile, type Found, showCounts, showLines, showPaths } from './grep-results.js';
import { failed } from './read-marks.js';
import { withPath } from '../table/with-path.js';

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
      const result = pageOf(args, resultOf('search_in_project', outcome), context);
      switch (args.output_mode) {
        case 'content':
          return showLines(args, result, context);
        case 'count':
          return showCounts(args, result, context);
        case 'files_with_matches':
          return showPaths(args, result, context);
      }
    }),
});

const MODES = { files_with_matches: 'files', content: 'matches', count: 'counts' } as const;
/** What a regular expression has that a plain text hasn't. */
const SPECIAL = /[\\^$.|?*+()[\]{}]/;
/** Matches, or files, that one search answers. */
const MAX_ENTRIES = 2_000;

const aroundOf = (args: GrepArgs): { readonly before: number; readonly after: number } => {
  const both = args['-C'] ?? args.context ?? 0;
  return args.output_mode === 'content' && !args['-o']
    ? { before: args['-B'] ?? both, after: args['-A'] ?? both }
    : { before: 0, after: 0 };
};
const limitOf = ({ head_limit: limit }: GrepArgs): number => (limit === 0 ? MAX_ENTRIES : Math.min(limit, MAX_ENTRIES));

function search(args: GrepArgs, path: string, context: UseContext): Next {
  const { glob = '', type = '', multiline, offset } = args;
  const base = { query: args.pattern, path, case_sensitive: !args['-i'] };
  if (!context.has('x4')) return searchPlainly(args, base);
  const filter = { ...(glob !== '' && { glob }), ...(type !== '' && { type }) };
  const page = { mode: MODES[args.output_mode], limit: limitOf(args), offset };
  return { call: { tool: 'search_in_project', args: { ...base, regex: true, ...filter, ...aroundOf(args), multiline, ...page } } };
}

/** An older client searches for a text, and gives matches only; what else was asked for is made of them, or refused. */
function searchPlainly(args: GrepArgs, base: JsonObject): Next {
  const refuse = (name: string, why: string): Next => failed(canonicalError('INVALID_ARGUMENTS', `${name}: this client ${why}`));
  const { glob = '', type = '' } = args;
  if (SPECIAL.test(args.pattern)) return refuse('pattern', 'searches for plain text only');
  if (type !== '') return refuse('type', 'knows no types; use glob');
  if (glob.startsWith('!')) return refuse('glob', 'leaves no files out');
  const { before, after } = aroundOf(args);
  const context_lines = Math.min(10, Math.max(before, after));
  const filter = glob === '' ? {} : { pattern: glob };
  return { call: { tool: 'search_in_project', args: { ...base, ...filter, context_lines, limit: MAX_ENTRIES } } };
}

/** The part of the answer that was asked for; an older client gives all matches. */
function pageOf(args: GrepArgs, result: Found, context: UseContext): Found {
  if (context.has('x4')) return result;
  const { matches = [], truncated } = result;
  const page = [args.offset, args.offset + limitOf(args)] as const;
  if (args.output_mode === 'content') return { matches: matches.slice(...page), truncated, total: matches.length };
  const files = countByFile(matches);
  return { files: files.slice(...page), truncated, total: files.length, total_matches: matches.length };
}
