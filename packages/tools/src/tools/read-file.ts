import { reads } from '../policy/policy-row.js';
import { DEFAULT_DEADLINE_MS, defineTool } from './tool-definition.js';
import { countLines, plural, shown } from './wording.js';

/** Reads one UTF-8 file of at most 1 MB → `{content, encoding: "utf-8"}` (docs/specification/tools.md#read_file). */
export const readFile = defineTool({
  name: 'read_file',
  since: '1.0',
  group: 'file',
  access: 'readonly',
  idempotency: 'safe',
  description: 'Reads a text file of the workspace. Only UTF-8, at most 1 MB.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Path of the file, relative to the workspace, with "/" between directories.' } },
    required: ['path'],
    additionalProperties: false,
  },
  result: { type: 'object', properties: { content: { type: 'string' }, encoding: { const: 'utf-8' } }, required: ['content', 'encoding'] },
  essential: ['content'],
  errors: [
    'FILE_NOT_FOUND',
    'FILE_TOO_LARGE',
    'ENCODING_ERROR',
    'INVALID_PATH',
    'PATH_OUTSIDE_WORKSPACE',
    'PERMISSION_DENIED',
    'INVALID_ARGUMENTS',
  ],
  limits: ['1 MB (1,048,576 bytes)', 'UTF-8 only', '255 characters of a path'],
  deadlineMs: DEFAULT_DEADLINE_MS,
  policy: reads('reads a file'),
  paths: { named: ['path'] },
  describe: (args) => shown(args, 'path'),
  summarise: ({ content }) => (typeof content === 'string' ? plural(countLines(content), 'line') : undefined),
});
