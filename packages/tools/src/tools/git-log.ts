import { reads } from '../policy/policy-row.js';
import { answer, defineTool, takes } from './tool-definition.js';
import { count, shown } from './wording.js';

/** Shows commits, newest first → `{commits[]{sha, author, email, date, subject, body, parents[]}, truncated}` (docs/specification/tools.md#gitlog). */
export const gitLog = defineTool({
  name: 'git.log',
  since: '1.2',
  group: 'git',
  access: 'readonly',
  description: 'Shows the latest commits, newest first, or those that changed a file or directory.',
  parameters: takes([], {
    limit: { type: 'integer', minimum: 1, maximum: 500, default: 10, description: 'At most so many commits.' },
    path: { type: 'string', default: '.', description: 'Only commits that changed this file or directory, relative to the workspace.' },
  }),
  result: answer(['commits', 'truncated'], {
    commits: {
      type: 'array',
      items: answer(['sha', 'author', 'email', 'date', 'subject', 'body', 'parents'], {
        sha: { type: 'string' },
        author: { type: 'string' },
        email: { type: 'string' },
        date: { type: 'string', description: 'ISO 8601.' },
        subject: { type: 'string' },
        body: { type: 'string' },
        parents: { type: 'array', items: { type: 'string' } },
      }),
    },
    truncated: { type: 'boolean', description: 'There are older ones.' },
  }),
  essential: ['commits'],
  errors: ['GIT_NOT_INITIALIZED', 'GIT_ERROR', 'INVALID_PATH', 'PATH_OUTSIDE_WORKSPACE', 'INVALID_ARGUMENTS'],
  limits: ['10 commits unless "limit" says otherwise, at most 500'],
  policy: reads('shows commits'),
  paths: { named: ['path'], orWhole: true, deep: true },
  describe: (args) => shown(args, 'path'),
  summarise: (result) => count(result, 'commits', 'commit'),
});
