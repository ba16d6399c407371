import { writes } from '../policy/policy-row.js';
import { DEFAULT_DEADLINE_MS, defineTool } from './tool-definition.js';
import { shown } from './wording.js';

/** Writes one whole file → `{success, bytes_written}` (docs/specification/tools.md#write_file). */
export const writeFile = defineTool({
  name: 'write_file',
  since: '1.0',
  group: 'file',
  access: 'write',
  idempotency: 'unsafe',
  description:
    'Writes a whole text file of the workspace, at most 1 MB. Creates missing directories and replaces an existing file. ' +
    'To change a part of a file, prefer apply_patch.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Path of the file, relative to the workspace, with "/" between directories.' },
      content: { type: 'string', description: 'The whole new content.' },
      expected_sha256: {
        type: 'string',
        pattern: '^([0-9a-f]{64})?$',
        description:
          'Lower-case hex SHA-256 that the present content must have, empty if there must be no file. Otherwise CONFLICT, nothing written.',
      },
    },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  result: {
    type: 'object',
    properties: { success: { const: true }, bytes_written: { type: 'integer' } },
    required: ['success', 'bytes_written'],
  },
  essential: ['success'],
  errors: [
    'FILE_TOO_LARGE',
    'ENCODING_ERROR',
    'CONFLICT',
    'INVALID_PATH',
    'PATH_OUTSIDE_WORKSPACE',
    'PERMISSION_DENIED',
    'APPROVAL_MISMATCH',
    'INVALID_ARGUMENTS',
  ],
  limits: ['1 MB (1,048,576 bytes)', '255 characters of a path'],
  deadlineMs: DEFAULT_DEADLINE_MS,
  policy: writes('writes a file'),
  paths: { named: ['path'], complete: true },
  describe: (args) => shown(args, 'path'),
});
