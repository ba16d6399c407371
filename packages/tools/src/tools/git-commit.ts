import { dangerous } from '../policy/policy-row.js';
import { answer, defineTool, takes } from './tool-definition.js';
import { count, joined, shown, textOf } from './wording.js';

/** Files that one answer names. */
export const MAX_COMMIT_FILES = 2_000;

/**
 * Commits what is staged, after staging `files` → `{success, sha, branch, files[], truncated}` (
 * docs/specification/tools.md#gitcommit).
 */
export const gitCommit = defineTool({
  name: 'git.commit',
  since: '1.2',
  group: 'git',
  access: 'write',
  description:
    'Commits what is staged; with "files" these are staged first. Hooks of the repository do not run, the commit is not signed, and no ' +
    'remote is touched.',
  parameters: takes(['message'], {
    message: { type: 'string', minLength: 1, maxLength: 65_536, description: 'The commit message.' },
    files: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      maxItems: 1_000,
      description: 'Files or directories to stage first, relative to the workspace; deleted ones too.',
    },
  }),
  result: answer(['success', 'sha', 'branch', 'files', 'truncated'], {
    success: { const: true },
    sha: { type: 'string' },
    branch: { type: ['string', 'null'] },
    files: { type: 'array', items: { type: 'string' }, description: 'The files of the commit, relative to the workspace.' },
    truncated: { type: 'boolean', description: 'It has more files.' },
  }),
  essential: ['success'],
  errors: ['GIT_NOT_INITIALIZED', 'GIT_ERROR', 'FILE_NOT_FOUND', 'INVALID_PATH', 'PATH_OUTSIDE_WORKSPACE', 'INVALID_ARGUMENTS'],
  limits: [
    '1,000 files to stage',
    '2,000 files named',
    'not signed, whatever commit.gpgSign says',
    'nothing outside the workspace is staged or committed',
    'an empty commit is GIT_ERROR',
  ],
  policy: dangerous('makes a commit', 'files'),
  paths: { list: 'files', deep: true, besides: ', along with all that is staged already' },
  tooWide: 'add "path" with the files that it may stage',
  describe: (args) => `“${shown(args, 'message').split('\n')[0]!}”`,
  summarise: (result) => joined(textOf(result, 'sha').slice(0, 8), count(result, 'files', 'file')),
});
