import { writes } from '../policy/policy-row.js';
import { answer, defineTool, PATH_ERRORS, takes } from './tool-definition.js';
import { count, filesOf, shown } from './wording.js';

/** Applies a unified diff, all of it or nothing → `{success, files_modified[]}` (docs/specification/tools.md#apply_patch). */
export const applyPatch = defineTool({
  name: 'apply_patch',
  since: '1.0',
  group: 'file',
  access: 'write',
  description:
    'Applies a unified diff to the workspace, all of it or nothing. At most 5 MB. Needs a work tree without changes of tracked files, ' +
    'unless "allow_dirty" is true. Context lines must be exactly those of the file.',
  parameters: takes(['diff'], {
    diff: { type: 'string', description: 'The diff, as `git diff` prints it. Paths are relative to the workspace.' },
    allow_dirty: {
      type: 'boolean',
      default: false,
      description: 'Apply although tracked files have changes; the patch must fit what is there.',
    },
  }),
  result: answer(['success', 'files_modified'], { success: { const: true }, files_modified: { type: 'array', items: { type: 'string' } } }),
  essential: ['success'],
  errors: [
    'PATCH_APPLY_FAILED',
    'FILE_TOO_LARGE',
    'ENCODING_ERROR',
    'GIT_NOT_INITIALIZED',
    'GIT_ERROR',
    ...PATH_ERRORS,
    'PERMISSION_DENIED',
    'APPROVAL_MISMATCH',
    'INVALID_ARGUMENTS',
  ],
  limits: ['5 MB of diff', '256 files'],
  policy: writes('changes files'),
  paths: { diff: 'diff', complete: true },
  describe: (args) => filesOf(shown(args, 'diff')),
  summarise: (result) => count(result, 'files_modified', 'file'),
});
