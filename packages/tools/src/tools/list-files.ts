import { reads } from '../policy/policy-row.js';
import { answer, defineTool, takes } from './tool-definition.js';
import { count, shown } from './wording.js';

/** Entries of one answer unless the call says otherwise, and at most. */
export const DEFAULT_LISTED = 1_000;
const MAX_LISTED = 10_000;

const PARAMETERS = {
  path: { type: 'string', default: '.', description: 'Directory, relative to the workspace; "." for all of it.' },
  recursive: { type: 'boolean', default: false, description: 'Also what lies in its directories, at any depth.' },
  pattern: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    description:
      'Only files and links that match the glob; "{a,b}" are alternatives. Without "/" it is about names; with "/" about paths below "path", at any depth.',
  },
  include_ignored: { type: 'boolean', default: false, description: 'Also files that .gitignore names.' },
  limit: { type: 'integer', minimum: 1, maximum: MAX_LISTED, default: DEFAULT_LISTED, description: 'At most so many entries.' },
} as const;

const ENTRY = {
  path: { type: 'string', description: 'Relative to the workspace.' },
  type: { type: 'string', enum: ['file', 'directory', 'link', 'other'] },
  size: { type: 'integer', description: 'Bytes; of files only.' },
} as const;
const RESULT = {
  entries: { type: 'array', items: answer(['path', 'type'], ENTRY) },
  truncated: { type: 'boolean', description: 'There are more entries than "limit", or some whose path is too long.' },
} as const;

/** Lists a directory → `{entries[]{path, type, size?}, truncated}` (docs/specification/tools.md#list_files). */
export const listFiles = defineTool({
  name: 'list_files',
  since: '1.1',
  group: 'file',
  access: 'readonly',
  description:
    'Lists files and directories of the workspace, sorted by path. Leaves out .git and what .gitignore names. ' +
    'With "recursive" everything below the directory; "pattern" is a glob such as "*.ts" or "src/**/*.test.ts".',
  parameters: takes([], PARAMETERS),
  additions: {
    parameters: takes([], {
      ...PARAMETERS,
      depth: {
        type: 'integer',
        minimum: 1,
        maximum: 64,
        description: 'With "recursive": at most so many levels; 1 is the directory itself.',
      },
      ignored: { type: 'boolean', default: false, description: 'The same as "include_ignored". Never ".git".' },
      sort: { type: 'string', enum: ['path', 'mtime'], default: 'path', description: '"mtime": what was changed last comes first.' },
    }),
    result: answer(['entries', 'truncated'], {
      ...RESULT,
      entries: {
        type: 'array',
        items: answer(['path', 'type'], {
          ...ENTRY,
          mtime_ms: { type: 'integer', description: 'Last change, Unix time; of files and directories.' },
        }),
      },
      total: { type: 'integer', description: 'How many there are without "limit", at most 200,000; with "sort": "mtime".' },
    }),
  },
  result: answer(['entries', 'truncated'], RESULT),
  essential: ['entries'],
  errors: ['FILE_NOT_FOUND', 'INVALID_PATH', 'PATH_OUTSIDE_WORKSPACE', 'PERMISSION_DENIED', 'CONFLICT', 'INVALID_ARGUMENTS'],
  limits: ['1,000 entries unless "limit" says otherwise, at most 10,000', 'links are shown, not followed', '255 characters of a path'],
  policy: reads('lists files'),
  paths: { named: ['path'], orWhole: true, deep: true },
  describe: (args) => [shown(args, 'path') || '.', shown(args, 'pattern')].filter(Boolean).join(' '),
  summarise: (result) => count(result, 'entries', 'entry', 'entries'),
});
