import { writes } from '../policy/policy-row.js';
import { answer, defineTool, PATH_ERRORS, takes } from './tool-definition.js';
import { shown, textOf } from './wording.js';

/** Moves or renames a file or a directory → `{success}` (docs/specification/tools.md#move_file). */
export const moveFile = defineTool({
  name: 'move_file',
  since: '1.2',
  group: 'file',
  access: 'write',
  description: 'Moves or renames a file or directory within the workspace. Creates missing directories; replaces nothing that exists.',
  parameters: takes(['from', 'to'], {
    from: { type: 'string', description: 'Present path, relative to the workspace.' },
    to: { type: 'string', description: 'New path, relative to the workspace; there must be nothing yet.' },
  }),
  result: answer(['success'], { success: { const: true } }),
  essential: ['success'],
  errors: ['FILE_NOT_FOUND', ...PATH_ERRORS, 'PERMISSION_DENIED', 'CONFLICT', 'APPROVAL_MISMATCH', 'INVALID_ARGUMENTS'],
  limits: ['255 characters of a path', 'one file system', 'the workspace itself and .git are never moved'],
  policy: writes('moves a file'),
  paths: { named: ['from', 'to'], deep: true, complete: true, takesAll: 'moves' },
  target: (args) => `${textOf(args, 'from')} → ${textOf(args, 'to')}`,
  describe: (args) => `${shown(args, 'from')} → ${shown(args, 'to')}`,
});
