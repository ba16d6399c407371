import { reads } from '../policy/policy-row.js';
import { answer, defineTool, PATH_ERRORS, takes } from './tool-definition.js';
import { countLines, plural, shown } from './wording.js';

const PARAMETERS = {
  path: { type: 'string', description: 'Path of the file, relative to the workspace, with "/" between directories.' },
} as const;
const RESULT = { content: { type: 'string' }, encoding: { const: 'utf-8' } } as const;

/** Reads one UTF-8 file of at most 1 MB, or lines of a larger one → `{content, encoding: "utf-8", …}` (docs/specification/tools.md#read_file). */
export const readFile = defineTool({
  name: 'read_file',
  since: '1.0',
  group: 'file',
  access: 'readonly',
  description: 'Reads a text file of the workspace. Only UTF-8, at most 1 MB.',
  parameters: takes(['path'], PARAMETERS),
  result: answer(['content', 'encoding'], RESULT),
  additions: {
    parameters: takes(['path'], {
      ...PARAMETERS,
      offset: {
        type: 'integer',
        minimum: 1,
        description: 'The first line wanted, from 1. With it or "limit", files above 1 MB can be read.',
      },
      limit: { type: 'integer', minimum: 1, description: 'At most so many lines; as many as an answer holds without.' },
    }),
    result: answer(['content', 'encoding'], {
      ...RESULT,
      sha256: { type: 'string', description: 'Of the whole file, lower-case hex.' },
      lines_total: { type: 'integer', description: 'Lines of the whole file; a final line end makes no further line.' },
      truncated: { type: 'boolean', description: 'There are lines after the last one in "content".' },
      lines_cut: { type: 'array', items: { type: 'integer' }, description: 'Lines of more than 64 KiB, of which the rest is left out.' },
    }),
  },
  essential: ['content'],
  errors: ['FILE_NOT_FOUND', 'FILE_TOO_LARGE', 'ENCODING_ERROR', ...PATH_ERRORS, 'PERMISSION_DENIED', 'INVALID_ARGUMENTS'],
  limits: ['1 MB (1,048,576 bytes) of an answer, 1 GiB of a file that is read by lines', 'UTF-8 only', '255 characters of a path'],
  policy: reads('reads a file'),
  paths: { named: ['path'] },
  describe: (args) => shown(args, 'path'),
  summarise: ({ content }) => (typeof content === 'string' ? plural(countLines(content), 'line') : undefined),
});
