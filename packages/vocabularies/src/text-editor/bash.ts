import { outputOf } from '../render/command-text.js';
import { canonicalError } from '../table/composite.js';
import { resultOf } from '../table/result-of.js';
import { defineRow, type Next, type Outcome, type UseResult } from '../table/row.js';
import { takes } from '../table/takes.js';
import { failed } from './edit-file.js';

interface BashArgs {
  readonly command?: string;
  readonly restart: boolean;
}

const SHELL_ID = 'session';
const TIMEOUT_MS = 120_000;

/** `bash`: a shell that goes on from call to call, where the client has such; else a fresh one each time. */
export const bash = defineRow<BashArgs>({
  name: 'bash',
  displayName: 'Run command',
  description:
    'Runs a command in a shell that goes on: directory, variables and functions carry over. Commands get no input and have 120 seconds. restart begins ' +
    'with a new shell.',
  without: {
    capability: 'shell.exec',
    description:
      'Runs a shell command. Each command starts afresh at the root of the workspace: nothing carries over. No input, 120 seconds.',
  },
  parameters: takes([], {
    command: { type: 'string', minLength: 1, maxLength: 32_768, description: 'The command; needed unless restart is true.' },
    restart: { type: 'boolean', default: false, description: 'true begins with a new shell.' },
  }),
  vendor: () => ({ type: 'bash_20250124', name: 'bash' }),
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: [['shell.exec', 'run_command']],
  stands: 'run_command',
  check: ({ command, restart }) => (command === undefined && !restart ? 'command: missing; expected string' : undefined),
  next: ({ command, restart }, outcomes, { has }) => {
    const lasting = has('shell.exec');
    const last = outcomes.at(-1);
    if (restart && lasting && last === undefined) return { call: { tool: 'shell.restart', args: { shell_id: SHELL_ID } } };
    if (last?.tool === 'shell.restart' && (command === undefined || !last.ok)) {
      return last.ok ? { text: 'Shell restarted.' } : failed(canonicalError(last.code, last.message));
    }
    if (restart && !lasting && command === undefined) return { text: 'Nothing to restart: every command has a fresh shell.' };
    return last === undefined || last.tool === 'shell.restart' ? run(command!, lasting) : tell(last); // checked
  },
});

const run = (command: string, lasting: boolean): Next => ({
  call: lasting
    ? { tool: 'shell.exec', args: { shell_id: SHELL_ID, command, timeout_ms: TIMEOUT_MS } }
    : { tool: 'run_command', args: { command, timeout_ms: TIMEOUT_MS } },
});

function tell(outcome: Outcome): UseResult {
  if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
  const result = resultOf('shell.exec', outcome);
  const before = result.restarted === true ? '[shell was restarted]\n' : '';
  if (result.timed_out === true) return failed(`${before}Error: Command timed out after ${String(TIMEOUT_MS / 1_000)} seconds`);
  const output = outputOf(result);
  if (result.exit_code === 0) return { text: before + (output || '(no output)') };
  const ending =
    typeof result.exit_code === 'number' ? `[exit code ${String(result.exit_code)}]` : `[ended by ${result.signal ?? 'a signal'}]`;
  return failed(before + (output === '' ? ending : `${output}\n${ending}`));
}
