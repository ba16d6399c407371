import { dangerous, reads } from '../policy/policy-row.js';
import { answer, defineTool, PATH_ERRORS, takes } from './tool-definition.js';
import { count, endingOf, joined, shown, textOf } from './wording.js';

/** Output of one answer of `status`, in bytes. */
export const MAX_STATUS_OUTPUT_BYTES = 64 * 1024;

/**
 * Starts a process that goes on after the call, looks at one, or lists them (
 * docs/specification/tools.md#run_persistent). `start` and `status` → `{process_id, status, pid?, started_at_ms, exit_code?, signal?, output, offset, next_offset, lost?}`,
 * `list` → `{processes[]}`.
 */
export const runPersistent = defineTool({
  name: 'run_persistent',
  since: '2.0',
  group: 'process',
  access: 'write',
  description:
    'Starts a long-running process such as a server or a watcher, under a name of your choice, and returns at once with its first output. ' +
    'With action "status" it shows how the process stands and its output since "offset"; with "list" all processes. kill_process ends one.',
  parameters: takes([], {
    process_id: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$', description: 'The name of the process.' },
    command: { type: 'string', minLength: 1, maxLength: 32_768, description: 'The command, for the shell; with "start".' },
    cwd: { type: 'string', default: '.', description: 'Directory to run in, relative to the workspace; with "start".' },
    action: { type: 'string', enum: ['start', 'status', 'list'], default: 'start', description: 'What to do.' },
    offset: { type: 'integer', minimum: 0, default: 0, description: 'With "status": the "next_offset" of the answer before.' },
  }),
  result: answer([], {
    process_id: { type: 'string' },
    status: { type: 'string', enum: ['running', 'exited', 'killed', 'lost'], description: '"lost": it ended while nobody watched.' },
    pid: { type: 'integer' },
    command: { type: 'string' },
    started_at_ms: { type: 'integer' },
    exit_code: { type: ['integer', 'null'] },
    signal: { type: 'string' },
    output: { type: 'string', description: 'Both streams as they came, from "offset".' },
    offset: { type: 'integer', description: 'Where "output" begins, in bytes: later than asked if the log was trimmed.' },
    next_offset: { type: 'integer' },
    processes: { type: 'array', items: { type: 'object' }, description: 'With "list": the same without output.' },
  }),
  essential: [],
  errors: ['FILE_NOT_FOUND', ...PATH_ERRORS, 'PERMISSION_DENIED', 'CONFLICT', 'DENIED_BY_POLICY', 'APPROVAL_MISMATCH', 'INVALID_ARGUMENTS'],
  limits: ['16 processes of a workspace at once', '64 KiB of output in an answer', '8 MiB of output kept of a process'],
  policy: ({ action }) =>
    action === 'status' || action === 'list' ? reads('looks at processes') : dangerous('starts a process', 'processes'),
  paths: 'unknown',
  runsCommand: true,
  tooWide: 'add "command" with its first words',
  target: (args) => textOf(args, 'command') || `${textOf(args, 'action')} ${textOf(args, 'process_id')}`,
  describe: (args) => {
    const [id, action] = [shown(args, 'process_id'), shown(args, 'action') || 'start'];
    return action === 'start' ? `${shown(args, 'command')} (as ${id})` : [action, id].filter(Boolean).join(' ');
  },
  summarise: (result) => count(result, 'processes', 'process', 'processes') ?? joined(textOf(result, 'status'), endingOf(result)),
});
