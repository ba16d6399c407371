import { reads } from '../policy/policy-row.js';
import { answer, defineTool, PATH_ERRORS, takes } from './tool-definition.js';
import { count, shown } from './wording.js';

/** Matches of one answer unless the call says otherwise, and at most. */
export const DEFAULT_MATCHES = 200;
const MAX_MATCHES = 2_000;

const PARAMETERS = {
  query: { type: 'string', minLength: 1, maxLength: 1_000, description: 'The text, or the regular expression.' },
  path: { type: 'string', default: '.', description: 'File or directory, relative to the workspace.' },
  regex: { type: 'boolean', default: false, description: 'The query is a regular expression.' },
  case_sensitive: { type: 'boolean', default: false, description: 'Upper and lower case are different.' },
  pattern: { type: 'string', minLength: 1, maxLength: 255, description: 'Only files that match the glob, such as "*.ts".' },
  context_lines: { type: 'integer', minimum: 0, maximum: 10, default: 0, description: 'Lines shown before and after each match.' },
  include_ignored: { type: 'boolean', default: false, description: 'Also files that .gitignore names.' },
  limit: { type: 'integer', minimum: 1, maximum: MAX_MATCHES, default: DEFAULT_MATCHES, description: 'At most so many matches.' },
} as const;

const MATCH = {
  path: { type: 'string', description: 'Relative to the workspace.' },
  line: { type: 'integer', description: 'From 1.' },
  column: { type: 'integer', description: 'Of the first match in the line, in characters, from 1.' },
  text: { type: 'string', description: 'The line without its end; at most 500 characters.' },
  before: { type: 'array', items: { type: 'string' } },
  after: { type: 'array', items: { type: 'string' } },
} as const;
const RESULT = {
  matches: { type: 'array', items: answer(['path', 'line', 'column', 'text'], MATCH) },
  truncated: { type: 'boolean', description: 'There are more matches than "limit", or than an answer holds.' },
} as const;

/** Searches file contents → `{matches[]{path, line, column, text, before?, after?}, truncated}` (docs/specification/tools.md#search_in_project). */
export const searchInProject = defineTool({
  name: 'search_in_project',
  since: '1.1',
  group: 'search',
  access: 'readonly',
  description:
    'Searches the text files of the workspace for a text, or with "regex" for a regular expression, line by line. ' +
    'Leaves out .git, binary files, files that look like secrets and what .gitignore names. A regular expression is one of ripgrep: no look-around.',
  parameters: takes(['query'], PARAMETERS),
  result: answer(['matches', 'truncated'], RESULT),
  additions: {
    parameters: takes(['query'], {
      ...PARAMETERS,
      glob: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'As "pattern", and both have to match; with "!" before it only files that do not match it.',
      },
      type: { type: 'string', minLength: 1, maxLength: 32, description: 'Only files of a type as ripgrep calls it: "ts", "py", "rust".' },
      before: { type: 'integer', minimum: 0, maximum: 100, description: 'Lines shown before each match, in place of "context_lines".' },
      after: { type: 'integer', minimum: 0, maximum: 100, description: 'Lines shown after each match, in place of "context_lines".' },
      multiline: { type: 'boolean', default: false, description: 'A match may go over line ends, and "." matches them.' },
      mode: {
        type: 'string',
        enum: ['matches', 'files', 'counts'],
        description: 'With it "total" is answered. "files", "counts": "files" is answered, and "matches" is empty.',
      },
      offset: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0, description: 'So many matches, or files, are passed over.' },
    }),
    result: answer(['matches', 'truncated'], {
      ...RESULT,
      matches: {
        type: 'array',
        items: answer(['path', 'line', 'column', 'text'], {
          ...MATCH,
          end_line: { type: 'integer', description: 'With "multiline": the last line of the match; "text" has all of them.' },
        }),
      },
      files: {
        type: 'array',
        items: answer(['path', 'count', 'mtime_ms'], {
          path: { type: 'string' },
          count: { type: 'integer', description: 'Matching lines; with "multiline" matches.' },
          mtime_ms: { type: 'integer', description: 'Last change, Unix time.' },
        }),
        description: 'For "files" the ones changed last first, for "counts" by path.',
      },
      total: { type: 'integer', description: 'How many matches, or files, there are without "limit" and "offset".' },
      total_matches: { type: 'integer', description: 'For "files" and "counts": the sum of all counts.' },
    }),
  },
  essential: ['matches'],
  errors: ['FILE_NOT_FOUND', ...PATH_ERRORS, 'PERMISSION_DENIED', 'FILE_TOO_LARGE', 'CONFLICT', 'INVALID_ARGUMENTS', 'TIMEOUT'],
  limits: [
    '200 matching lines unless "limit" says otherwise, at most 2,000',
    '500 characters of a line, 2 MB of an answer',
    'files of at most 8 MB',
    'links are not followed',
  ],
  policy: reads('searches files'),
  paths: { named: ['path'], orWhole: true, deep: true, globs: ['pattern', 'glob'] },
  describe: (args) => `“${shown(args, 'query')}”${shown(args, 'path') === '' ? '' : ` in ${shown(args, 'path')}`}`,
  summarise: (result) => count(result, 'matches', 'match', 'matches'),
});
