import { writes } from '../policy/policy-row.js';
import { answer, defineTool, PATH_ERRORS, takes } from './tool-definition.js';
import { shown } from './wording.js';

/** Creates a directory and those above it → `{success, created}` (docs/specification/tools.md#create_directory). */
export const createDirectory = defineTool({
  name: 'create_directory',
  since: '1.1',
  group: 'file',
  access: 'write',
  description: 'Creates a directory in the workspace, with those above it. One that is there already is left as it is.',
  parameters: takes(['path'], { path: { type: 'string', description: 'Path of the directory, relative to the workspace.' } }),
  result: answer(['success', 'created'], {
    success: { const: true },
    created: { type: 'boolean', description: 'False: it was there already.' },
  }),
  essential: ['success'],
  errors: ['FILE_NOT_FOUND', ...PATH_ERRORS, 'PERMISSION_DENIED', 'CONFLICT', 'APPROVAL_MISMATCH', 'INVALID_ARGUMENTS'],
  limits: ['255 characters of a path'],
  policy: writes('creates a directory'),
  paths: { named: ['path'] },
  describe: (args) => shown(args, 'path'),
  summarise: ({ created }) => (created === false ? 'was there' : undefined),
});
