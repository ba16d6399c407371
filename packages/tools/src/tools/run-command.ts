import { dangerous } from '../policy/policy-row.js';
import { answer, defineTool, PATH_ERRORS, takes } from './tool-definition.js';
import { endingOf, joined, shown, textOf } from './wording.js';

/** How long a command may run unless the call says otherwise, and at most, in milliseconds (docs/specification/tools.md#run_command). */
export const DEFAULT_COMMAND_MS = 60_000;
export const MAX_COMMAND_MS = 600_000;

/** Output that is kept of each stream, in bytes: the first and the last half (docs/specification/tools.md#run_command). */
export const MAX_STREAM_BYTES = 256 * 1024;

const ALWAYS = ['exit_code', 'stdout', 'stderr', 'duration_ms', 'timed_out', 'truncated'] as const;

/** What is answered of a command that was waited for. */
export const RESULT = {
  exit_code: { type: ['integer', 'null'], description: 'Null where a signal ended it.' },
  stdout: { type: 'string' },
  stderr: { type: 'string' },
  duration_ms: { type: 'integer' },
  timed_out: { type: 'boolean' },
  truncated: { type: 'boolean', description: 'Something in the middle of a stream was left out.' },
  signal: { type: 'string', description: 'The signal that ended it.' },
} as const;

/**
 * Runs a command in a fresh shell → `{exit_code, stdout, stderr, duration_ms, timed_out, truncated, signal?}` (
 * docs/specification/tools.md#run_command). `exit_code` is null where a signal ended the shell.
 */
export const runCommand = defineTool({
  name: 'run_command',
  since: '1.1',
  group: 'process',
  access: 'write',
  description:
    'Runs a shell command in the workspace and waits for its end. Each call has a fresh shell: directory and variables do not carry over. ' +
    'Without input. For servers and watchers use run_persistent.',
  parameters: takes(['command'], {
    command: { type: 'string', minLength: 1, maxLength: 32_768, description: 'The command, for the shell.' },
    cwd: { type: 'string', default: '.', description: 'Directory to run in, relative to the workspace.' },
    timeout_ms: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_COMMAND_MS,
      default: DEFAULT_COMMAND_MS,
      description: 'Milliseconds after which it is stopped with everything that it started.',
    },
  }),
  result: answer(ALWAYS, RESULT),
  additions: {
    result: answer(ALWAYS, {
      ...RESULT,
      cwd_after: {
        type: 'string',
        description: 'Where the shell was when it ended, relative to the workspace; absent outside of it.',
      },
      log: {
        type: 'string',
        description: 'The whole output, in a file that only read_file and search_in_project reach: "codelab-log:/….txt".',
      },
    }),
  },
  essential: ['exit_code'],
  errors: [
    'FILE_NOT_FOUND',
    ...PATH_ERRORS,
    'PERMISSION_DENIED',
    'DENIED_BY_POLICY',
    'APPROVAL_MISMATCH',
    'CANCELLED',
    'INVALID_ARGUMENTS',
  ],
  limits: [
    '60 s unless "timeout_ms" says otherwise, at most 600 s',
    '256 KiB of each stream: head and tail are kept',
    '32,768 characters of a command',
  ],
  deadlineMs: MAX_COMMAND_MS + 5_000,
  policy: { ...dangerous('runs a command', 'processes'), specificationAlwaysAsks: true },
  paths: 'unknown',
  runsCommand: true,
  tooWide: 'add "command" with its first words',
  target: (args) => textOf(args, 'command'),
  describe: (args) => shown(args, 'command'),
  summarise: (result) => joined(endingOf(result), result['truncated'] === true ? 'output cut' : undefined),
});
