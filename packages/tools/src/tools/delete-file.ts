import { dangerous } from '../policy/policy-row.js';
import { answer, defineTool, PATH_ERRORS, takes } from './tool-definition.js';
import { plural, shown } from './wording.js';

/** Moves a file or a directory into the client's trash → `{success, files_deleted}` (docs/specification/tools.md#delete_file). */
export const deleteFile = defineTool({
  name: 'delete_file',
  since: '1.2',
  group: 'file',
  access: 'write',
  description: 'Deletes a file, a link or a directory with everything in it. The user can undo it.',
  parameters: takes(['path'], { path: { type: 'string', description: 'Path of the file or directory, relative to the workspace.' } }),
  result: answer(['success', 'files_deleted'], {
    success: { const: true },
    files_deleted: { type: 'integer', description: 'Files and links, without directories.' },
  }),
  essential: ['success'],
  errors: ['FILE_NOT_FOUND', 'FILE_TOO_LARGE', ...PATH_ERRORS, 'PERMISSION_DENIED', 'CONFLICT', 'APPROVAL_MISMATCH', 'INVALID_ARGUMENTS'],
  limits: ['a directory of at most 10,000 entries', 'the workspace itself, .git and what is in it are never deleted'],
  policy: dangerous('deletes files', 'files'),
  paths: { named: ['path'], deep: true, complete: true, takesAll: 'deletes' },
  tooWide: 'add "path" with the files that it may delete',
  describe: (args) => shown(args, 'path'),
  summarise: ({ files_deleted: files }) => (typeof files === 'number' ? plural(files, 'file') : undefined),
});
