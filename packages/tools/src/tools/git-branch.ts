import { dangerous, reads } from '../policy/policy-row.js';
import { DEFAULT_DEADLINE_MS, defineTool } from './tool-definition.js';
import { count, shown, textOf } from './wording.js';

/**
 * Lists, creates, switches or deletes local branches → `list`: `{current, branches[]{name, sha, current, upstream?}}`, else
 * `{success, name, current}` (docs/specification/tools.md#gitbranch).
 */
export const gitBranch = defineTool({
  name: 'git.branch',
  since: '2.0',
  group: 'git',
  access: 'write',
  idempotency: 'unsafe',
  description:
    'Lists the local branches, creates one (without switching to it), switches to one, or deletes one that is merged. Switching keeps ' +
    'uncommitted changes, and fails where it would overwrite them.',
  parameters: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['list', 'create', 'switch', 'delete'], description: 'What to do.' },
      name: { type: 'string', minLength: 1, maxLength: 200, description: 'The branch; not with "list".' },
    },
    required: ['action'],
    additionalProperties: false,
  },
  result: {
    type: 'object',
    properties: {
      success: { const: true },
      name: { type: 'string' },
      current: { type: ['string', 'null'], description: 'The branch that is checked out now.' },
      branches: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            sha: { type: 'string' },
            current: { type: 'boolean' },
            upstream: { type: 'string' },
          },
          required: ['name', 'sha', 'current'],
        },
      },
    },
    required: ['current'],
  },
  essential: [],
  errors: ['GIT_NOT_INITIALIZED', 'GIT_ERROR', 'INVALID_ARGUMENTS'],
  limits: ['local branches only; never a remote'],
  deadlineMs: DEFAULT_DEADLINE_MS,
  policy: ({ action }) => (action === 'list' ? reads('lists branches') : dangerous('changes branches', 'files')),
  paths: 'none',
  target: (args) => `${textOf(args, 'action')} ${textOf(args, 'name')}`,
  describe: (args) => `${shown(args, 'action')} ${shown(args, 'name')}`.trim(),
  summarise: (result) =>
    count(result, 'branches', 'branch', 'branches') ?? (textOf(result, 'current') && `on ${textOf(result, 'current')}`),
});
