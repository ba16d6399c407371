import { dangerous, writes } from '../policy/policy-row.js';
import { answer, defineTool, takes } from '../tools/tool-definition.js';
import { DEFAULT_COMMAND_MS, MAX_COMMAND_MS, RESULT } from '../tools/run-command.js';
import { endingOf, joined, shown, textOf } from '../tools/wording.js';

const SHELL_ID = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$', description: 'The name of the shell, of your choice.' } as const;

/**
 * Runs a command in a shell that lasts (docs/specification/tools.md#capabilities). Earlier commands can change what a later one means, so every
 * one asks, rules or not.
 */
export const shellExec = defineTool({
  name: 'shell.exec',
  since: '2.1',
  group: 'process',
  access: 'write',
  description: 'Runs a command in a shell that goes on: directory, variables and functions carry over. One command at a time.',
  parameters: takes(['shell_id', 'command'], {
    shell_id: SHELL_ID,
    command: { type: 'string', minLength: 1, maxLength: 32_768, description: 'The command, for the shell.' },
    timeout_ms: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_COMMAND_MS,
      default: DEFAULT_COMMAND_MS,
      description: 'Milliseconds after which the shell is stopped with everything that it started.',
    },
  }),
  result: answer(['exit_code', 'stdout', 'stderr', 'duration_ms', 'timed_out', 'truncated'], {
    ...RESULT,
    cwd_after: { type: 'string', description: 'Where the shell is now, relative to the workspace; absent outside of it.' },
    restarted: { type: 'boolean', description: 'The shell of this name had ended, and the command ran in a new one.' },
    ended: { type: 'boolean', description: 'The shell ended with the command: the next one has a new shell.' },
    log: { type: 'string', description: 'The whole output, as of run_command.' },
  }),
  essential: ['exit_code'],
  errors: ['PERMISSION_DENIED', 'CONFLICT', 'DENIED_BY_POLICY', 'APPROVAL_MISMATCH', 'CANCELLED', 'INVALID_ARGUMENTS'],
  limits: ['8 shells of a workspace at once', 'as run_command'],
  deadlineMs: MAX_COMMAND_MS + 5_000,
  policy: { ...dangerous('runs a command in a lasting shell', 'processes'), alwaysAsks: true, specificationAlwaysAsks: true },
  standsFor: 'run_command',
  paths: 'unknown',
  runsCommand: true,
  tooWide: 'in a lasting shell every command asks',
  target: (args) => textOf(args, 'command'),
  describe: (args) => shown(args, 'command'),
  summarise: (result) => joined(endingOf(result), result['truncated'] === true ? 'output cut' : undefined),
});

/** Ends a lasting shell with everything in it → `{}`; the next command has a new one. */
export const shellRestart = defineTool({
  name: 'shell.restart',
  since: '2.1',
  group: 'process',
  access: 'write',
  description: 'Ends a shell of shell.exec with everything that it started. The next command has a new one.',
  parameters: takes(['shell_id'], { shell_id: SHELL_ID }),
  result: answer([], {}),
  essential: [],
  errors: ['INVALID_ARGUMENTS', 'PERMISSION_DENIED'],
  limits: ['only shells of the session'],
  policy: { ...writes('ends a lasting shell'), modes: { medium: 'allow', strict: 'ask', permissive: 'allow' }, touches: 'processes' },
  paths: 'none',
  target: (args) => textOf(args, 'shell_id'),
  describe: (args) => shown(args, 'shell_id'),
});
