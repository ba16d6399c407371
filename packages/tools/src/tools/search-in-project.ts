import { reads } from '../policy/policy-row.js';
import { answer, defineTool, PATH_ERRORS, takes } from './tool-definition.js';
import { count, shown } from './wording.js';

/** Matches of one answer unless the call says otherwise, and at most. */
export const DEFAULT_MATCHES = 200;
const MAX_MATCHES = 2_000;

/** Searches file contents → `{matches[]{path, line, column, text, before?, after?}, truncated}` (docs/specification/tools.md#search_in_project). */
export const searchInProject = defineTool({
  name: 'search_in_project',
  since: '1.1',
  group: 'search',
  access: 'readonly',
  description:
    'Searches the text files of the workspace for a text, or with "regex" for a regular expression, line by line. ' +
    'Leaves out .git, binary files, files that look like secrets and what .gitignore names. A regular expression is one of ripgrep: no look-around.',
  parameters: takes(['query'], {
    query: { type: 'string', minLength: 1, maxLength: 1_000, description: 'The text, or the regular expression.' },
    path: { type: 'string', default: '.', description: 'File or directory, relative to the workspace.' },
    regex: { type: 'boolean', default: false, description: 'The query is a regular expression.' },
    case_sensitive: { type: 'boolean', default: false, description: 'Upper and lower case are different.' },
    pattern: { type: 'string', minLength: 1, maxLength: 255, description: 'Only files that match the glob, such as "*.ts".' },
    context_lines: { type: 'integer', minimum: 0, maximum: 10, default: 0, description: 'Lines shown before and after each match.' },
    include_ignored: { type: 'boolean', default: false, description: 'Also files that .gitignore names.' },
    limit: { type: 'integer', minimum: 1, maximum: MAX_MATCHES, default: DEFAULT_MATCHES, description: 'At most so many matches.' },
  }),
  result: answer(['matches', 'truncated'], {
    matches: {
      type: 'array',
      items: answer(['path', 'line', 'column', 'text'], {
        path: { type: 'string', description: 'Relative to the workspace.' },
        line: { type: 'integer', description: 'From 1.' },
        column: { type: 'integer', description: 'Of the first match in the line, in characters, from 1.' },
        text: { type: 'string', description: 'The line without its end; at most 500 characters.' },
        before: { type: 'array', items: { type: 'string' } },
        after: { type: 'array', items: { type: 'string' } },
      }),
    },
    truncated: { type: 'boolean', description: 'There are more matches than "limit", or than an answer holds.' },
  }),
  essential: ['matches'],
  errors: ['FILE_NOT_FOUND', ...PATH_ERRORS, 'PERMISSION_DENIED', 'FILE_TOO_LARGE', 'CONFLICT', 'INVALID_ARGUMENTS', 'TIMEOUT'],
  limits: [
    '200 matching lines unless "limit" says otherwise, at most 2,000',
    '500 characters of a line, 2 MB of an answer',
    'files of at most 8 MB',
    'links are not followed',
  ],
  policy: reads('searches files'),
  paths: { named: ['path'], orWhole: true, deep: true, glob: 'pattern' },
  describe: (args) => `“${shown(args, 'query')}”${shown(args, 'path') === '' ? '' : ` in ${shown(args, 'path')}`}`,
  summarise: (result) => count(result, 'matches', 'match', 'matches'),
});
