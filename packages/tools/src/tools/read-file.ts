import { reads } from '../policy/policy-row.js';
import { answer, defineTool, PATH_ERRORS, takes } from './tool-definition.js';
import { countLines, plural, shown } from './wording.js';

/** Reads one UTF-8 file of at most 1 MB → `{content, encoding: "utf-8"}` (docs/specification/tools.md#read_file). */
export const readFile = defineTool({
  name: 'read_file',
  since: '1.0',
  group: 'file',
  access: 'readonly',
  description: 'Reads a text file of the workspace. Only UTF-8, at most 1 MB.',
  parameters: takes(['path'], {
    path: { type: 'string', description: 'Path of the file, relative to the workspace, with "/" between directories.' },
  }),
  result: answer(['content', 'encoding'], { content: { type: 'string' }, encoding: { const: 'utf-8' } }),
  essential: ['content'],
  errors: ['FILE_NOT_FOUND', 'FILE_TOO_LARGE', 'ENCODING_ERROR', ...PATH_ERRORS, 'PERMISSION_DENIED', 'INVALID_ARGUMENTS'],
  limits: ['1 MB (1,048,576 bytes)', 'UTF-8 only', '255 characters of a path'],
  policy: reads('reads a file'),
  paths: { named: ['path'] },
  describe: (args) => shown(args, 'path'),
  summarise: ({ content }) => (typeof content === 'string' ? plural(countLines(content), 'line') : undefined),
});
