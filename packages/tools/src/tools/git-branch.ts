import { dangerous, reads } from '../policy/policy-row.js';
import { answer, defineTool, takes } from './tool-definition.js';
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
  description:
    'Lists the local branches, creates one (without switching to it), switches to one, or deletes one that is merged. Switching keeps ' +
    'uncommitted changes, and fails where it would overwrite them.',
  parameters: takes(['action'], {
    action: { type: 'string', enum: ['list', 'create', 'switch', 'delete'], description: 'What to do.' },
    name: { type: 'string', minLength: 1, maxLength: 200, description: 'The branch; not with "list".' },
  }),
  result: answer(['current'], {
    success: { const: true },
    name: { type: 'string' },
    current: { type: ['string', 'null'], description: 'The branch that is checked out now.' },
    branches: {
      type: 'array',
      items: answer(['name', 'sha', 'current'], {
        name: { type: 'string' },
        sha: { type: 'string' },
        current: { type: 'boolean' },
        upstream: { type: 'string' },
      }),
    },
  }),
  essential: [],
  errors: ['GIT_NOT_INITIALIZED', 'GIT_ERROR', 'INVALID_ARGUMENTS'],
  limits: ['local branches only; never a remote'],
  policy: ({ action }) => (action === 'list' ? reads('lists branches') : dangerous('changes branches', 'files')),
  paths: 'none',
  target: (args) => `${textOf(args, 'action')} ${textOf(args, 'name')}`,
  describe: (args) => `${shown(args, 'action')} ${shown(args, 'name')}`.trim(),
  summarise: (result) =>
    count(result, 'branches', 'branch', 'branches') ?? (textOf(result, 'current') && `on ${textOf(result, 'current')}`),
});
