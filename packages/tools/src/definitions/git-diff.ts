import { DEFAULT_DEADLINE_MS, type ToolDefinition } from '../tool-definition.js';

export interface GitDiffArguments {
  readonly path: string;
  readonly staged?: boolean;
}

/** Shows changes of tracked files under the workspace → `{diff}`, at most 5 MB (seed 003, "git.diff"). */
export const gitDiff: ToolDefinition = {
  name: 'git.diff',
  since: '1.0',
  group: 'git',
  access: 'readonly',
  idempotency: 'safe',
  description: 'Shows the changes of tracked files in the workspace as a unified diff: unstaged ones, or with "staged" those in the index.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'File or directory, relative to the workspace; "." for all of it.' },
      staged: { type: 'boolean', default: false, description: 'Show staged changes instead of unstaged ones.' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  deadlineMs: DEFAULT_DEADLINE_MS,
};
