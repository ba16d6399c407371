import { reads } from '../policy/policy-row.js';
import { answer, defineTool, PATH_ERRORS, takes } from './tool-definition.js';
import { changesOf, shown } from './wording.js';

/** Shows changes under the workspace → `{diff, left_out?}`, at most 5 MB (docs/specification/tools.md#gitdiff). */
export const gitDiff = defineTool({
  name: 'git.diff',
  since: '1.0',
  group: 'git',
  access: 'readonly',
  description: 'Shows the changes of tracked files in the workspace as a unified diff: unstaged ones, or with "staged" those in the index.',
  parameters: takes(['path'], {
    path: { type: 'string', description: 'File or directory, relative to the workspace; "." for all of it.' },
    staged: { type: 'boolean', default: false, description: 'Show staged changes instead of unstaged ones.' },
    paths: { type: 'array', items: { type: 'string' }, maxItems: 1_000, description: 'Further files or directories to show.' },
    untracked: {
      type: 'boolean',
      default: false,
      description: 'Also show files that git does not track yet, as new files; not with "staged".',
    },
  }),
  result: answer(['diff'], {
    diff: { type: 'string' },
    left_out: {
      type: 'array',
      items: { type: 'string' },
      description: 'Untracked files that are made to hold secrets, and are not shown.',
    },
  }),
  essential: ['diff'],
  errors: ['GIT_NOT_INITIALIZED', 'GIT_ERROR', 'FILE_TOO_LARGE', 'ENCODING_ERROR', ...PATH_ERRORS, 'INVALID_ARGUMENTS'],
  limits: ['5 MB of diff'],
  policy: reads('shows changes'),
  paths: { named: ['path'], list: 'paths', deep: true },
  describe: (args) => `${shown(args, 'path') || '.'}${args['staged'] === true ? ' (staged)' : ''}`,
  summarise: ({ diff }) => (typeof diff !== 'string' ? undefined : diff === '' ? 'no changes' : changesOf(diff)),
});
