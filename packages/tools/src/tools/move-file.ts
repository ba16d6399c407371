import { writes } from '../policy/policy-row.js';
import { DEFAULT_DEADLINE_MS, defineTool } from './tool-definition.js';
import { shown, textOf } from './wording.js';

/** Moves or renames a file or a directory → `{success}` (docs/specification/tools.md#move_file). */
export const moveFile = defineTool({
  name: 'move_file',
  since: '1.2',
  group: 'file',
  access: 'write',
  idempotency: 'unsafe',
  description: 'Moves or renames a file or directory within the workspace. Creates missing directories; replaces nothing that exists.',
  parameters: {
    type: 'object',
    properties: {
      from: { type: 'string', description: 'Present path, relative to the workspace.' },
      to: { type: 'string', description: 'New path, relative to the workspace; there must be nothing yet.' },
    },
    required: ['from', 'to'],
    additionalProperties: false,
  },
  result: { type: 'object', properties: { success: { const: true } }, required: ['success'] },
  essential: ['success'],
  errors: [
    'FILE_NOT_FOUND',
    'INVALID_PATH',
    'PATH_OUTSIDE_WORKSPACE',
    'PERMISSION_DENIED',
    'CONFLICT',
    'APPROVAL_MISMATCH',
    'INVALID_ARGUMENTS',
  ],
  limits: ['255 characters of a path', 'one file system', 'the workspace itself and .git are never moved'],
  deadlineMs: DEFAULT_DEADLINE_MS,
  policy: writes('moves a file'),
  paths: { named: ['from', 'to'], deep: true, complete: true, takesAll: 'moves' },
  target: (args) => `${textOf(args, 'from')} → ${textOf(args, 'to')}`,
  describe: (args) => `${shown(args, 'from')} → ${shown(args, 'to')}`,
});
