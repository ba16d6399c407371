import { writes } from '../policy/policy-row.js';
import { answer, defineTool, PATH_ERRORS, takes } from './tool-definition.js';
import { shown } from './wording.js';

const PARAMETERS = {
  path: { type: 'string', description: 'Path of the file, relative to the workspace, with "/" between directories.' },
  content: { type: 'string', description: 'The whole new content.' },
  expected_sha256: {
    type: 'string',
    pattern: '^([0-9a-f]{64})?$',
    description:
      'Lower-case hex SHA-256 that the present content must have, empty if there must be no file. Otherwise CONFLICT, nothing written.',
  },
} as const;

/** Writes one whole file → `{success, bytes_written}` (docs/specification/tools.md#write_file). */
export const writeFile = defineTool({
  name: 'write_file',
  since: '1.0',
  group: 'file',
  access: 'write',
  description:
    'Writes a whole text file of the workspace, at most 1 MB. Creates missing directories and replaces an existing file. ' +
    'To change a part of a file, prefer apply_patch.',
  parameters: takes(['path', 'content'], PARAMETERS),
  additions: {
    parameters: takes(['path', 'content'], {
      ...PARAMETERS,
      expected_sha256: {
        type: 'string',
        pattern: '^([0-9a-f]{64}|none)?$',
        description:
          'Lower-case hex SHA-256 that the present content must have; "none" or empty: there must be no file. Otherwise CONFLICT.',
      },
    }),
  },
  result: answer(['success', 'bytes_written'], { success: { const: true }, bytes_written: { type: 'integer' } }),
  essential: ['success'],
  errors: ['FILE_TOO_LARGE', 'ENCODING_ERROR', 'CONFLICT', ...PATH_ERRORS, 'PERMISSION_DENIED', 'APPROVAL_MISMATCH', 'INVALID_ARGUMENTS'],
  limits: ['1 MB (1,048,576 bytes)', '255 characters of a path'],
  policy: writes('writes a file'),
  paths: { named: ['path'], complete: true },
  describe: (args) => shown(args, 'path'),
});
