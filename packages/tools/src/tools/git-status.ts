import { reads } from '../policy/policy-row.js';
import { answer, defineTool, takes } from './tool-definition.js';
import { count, joined, shown, textOf } from './wording.js';

/** Files of one answer. */
export const MAX_STATUS_FILES = 2_000;

/**
 * Shows the state of the work tree → `{branch, head, upstream?, ahead?, behind?, clean, files[]{path, staged, unstaged, from?}, truncated}`
 * (docs/specification/tools.md#gitstatus).
 */
export const gitStatus = defineTool({
  name: 'git.status',
  since: '1.2',
  group: 'git',
  access: 'readonly',
  description: 'Shows the branch and the changed, staged and untracked files below a path of the workspace.',
  parameters: takes([], {
    path: { type: 'string', default: '.', description: 'File or directory, relative to the workspace; "." for all of it.' },
  }),
  result: answer(['branch', 'head', 'clean', 'files', 'truncated'], {
    branch: { type: ['string', 'null'], description: 'Null: no branch is checked out.' },
    head: { type: ['string', 'null'], description: 'The commit; null before the first one.' },
    upstream: { type: 'string' },
    ahead: { type: 'integer' },
    behind: { type: 'integer' },
    clean: { type: 'boolean' },
    files: {
      type: 'array',
      items: answer(['path', 'staged', 'unstaged'], {
        path: { type: 'string', description: 'Relative to the workspace.' },
        staged: {
          type: ['string', 'null'],
          enum: ['added', 'modified', 'deleted', 'renamed', 'copied', 'type_changed', 'unmerged', null],
        },
        unstaged: { type: ['string', 'null'], enum: ['untracked', 'modified', 'deleted', 'renamed', 'type_changed', 'unmerged', null] },
        from: { type: 'string', description: 'The path before a rename.' },
      }),
    },
    truncated: { type: 'boolean' },
  }),
  essential: ['files'],
  errors: ['GIT_NOT_INITIALIZED', 'GIT_ERROR', 'INVALID_PATH', 'PATH_OUTSIDE_WORKSPACE', 'INVALID_ARGUMENTS'],
  limits: ['2,000 files'],
  policy: reads('shows the state of the work tree'),
  paths: { named: ['path'], orWhole: true, deep: true },
  describe: (args) => shown(args, 'path'),
  summarise: (result) => joined(textOf(result, 'branch'), result['clean'] === true ? 'clean' : count(result, 'files', 'file')),
});
