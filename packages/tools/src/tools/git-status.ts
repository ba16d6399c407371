import { reads } from '../policy/policy-row.js';
import { DEFAULT_DEADLINE_MS, defineTool } from './tool-definition.js';
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
  idempotency: 'safe',
  description: 'Shows the branch and the changed, staged and untracked files below a path of the workspace.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string', default: '.', description: 'File or directory, relative to the workspace; "." for all of it.' } },
    required: [],
    additionalProperties: false,
  },
  result: {
    type: 'object',
    properties: {
      branch: { type: ['string', 'null'], description: 'Null: no branch is checked out.' },
      head: { type: ['string', 'null'], description: 'The commit; null before the first one.' },
      upstream: { type: 'string' },
      ahead: { type: 'integer' },
      behind: { type: 'integer' },
      clean: { type: 'boolean' },
      files: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            path: { type: 'string', description: 'Relative to the workspace.' },
            staged: {
              type: ['string', 'null'],
              enum: ['added', 'modified', 'deleted', 'renamed', 'copied', 'type_changed', 'unmerged', null],
            },
            unstaged: { type: ['string', 'null'], enum: ['untracked', 'modified', 'deleted', 'renamed', 'type_changed', 'unmerged', null] },
            from: { type: 'string', description: 'The path before a rename.' },
          },
          required: ['path', 'staged', 'unstaged'],
        },
      },
      truncated: { type: 'boolean' },
    },
    required: ['branch', 'head', 'clean', 'files', 'truncated'],
  },
  essential: ['files'],
  errors: ['GIT_NOT_INITIALIZED', 'GIT_ERROR', 'INVALID_PATH', 'PATH_OUTSIDE_WORKSPACE', 'INVALID_ARGUMENTS'],
  limits: ['2,000 files'],
  deadlineMs: DEFAULT_DEADLINE_MS,
  policy: reads('shows the state of the work tree'),
  paths: { named: ['path'], orWhole: true, deep: true },
  describe: (args) => shown(args, 'path'),
  summarise: (result) => joined(textOf(result, 'branch'), result['clean'] === true ? 'clean' : count(result, 'files', 'file')),
});
