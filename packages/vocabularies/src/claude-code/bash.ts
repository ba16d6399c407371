import { canonicalError } from '../table/composite.js';
import { outputOf } from '../render/command-text.js';
import { startBackground } from '../render/background.js';
import { defineRow, type Next, type UseResult } from '../table/row.js';
import { resultOf } from '../table/result-of.js';
import type { ResultOf } from '@codelab/tools';
import { takes } from '../table/takes.js';
import type { UseContext } from '../table/use-context.js';
import { failed } from './read-marks.js';

interface BashArgs {
  readonly command: string;
  readonly timeout: number;
  readonly description?: string;
  readonly run_in_background: boolean;
}

/** `Bash`: a shell command, waited for or in the background. */
export const bash = defineRow<BashArgs>({
  name: 'Bash',
  displayName: 'Run command',
  description:
    'Runs a shell command in the workspace: builds, tests, git, package managers. The directory carries over to the next command, variables do not. Not for ' +
    'reading, searching or editing files: Read, Grep, Glob and Edit are made for it. Servers and watchers: run_in_background, then BashOutput.',
  without: {
    capability: 'x5',
    description:
      'Runs a shell command at the root of the workspace: builds, tests, git, package managers. Nothing carries over to the next command, not even the ' +
      'directory. Not for reading, searching or editing files: Read, Grep, Glob and Edit are made for it.',
  },
  parameters: takes(['command'], {
    command: { type: 'string', minLength: 1, maxLength: 32_768, description: 'The command.' },
    timeout: { type: 'integer', minimum: 1, maximum: 600_000, default: 120_000, description: 'Milliseconds.' },
    description: { type: 'string', description: 'What it does, in 5 to 10 words, for the user.' },
    run_in_background: { type: 'boolean', default: false, description: 'Do not wait for its end.' },
    dangerouslyDisableSandbox: { type: 'boolean', description: 'Has no effect.' },
  }),
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['run_command'],
  stands: 'run_command',
  next: (args, outcomes, context) => {
    const { command, run_in_background: isInBackground } = args;
    if (isInBackground) return startBackground({ command, prefix: 'bash', cwd: cwdOf(context) }, outcomes, context);
    const outcome = outcomes.at(-1);
    if (outcome === undefined) return run(args, context);
    return outcome.ok ? tell(args, resultOf('run_command', outcome), context) : failed(canonicalError(outcome.code, outcome.message));
  },
});

/** Where the command before ended, unless that is the root. */
const cwdOf = ({ marks, has }: UseContext): string | undefined => (has('x5') && marks.cwd !== '' ? marks.cwd : undefined);

const run = ({ command, timeout }: BashArgs, context: UseContext): Next => {
  const cwd = cwdOf(context);
  const args = { command, timeout_ms: timeout };
  return { call: { tool: 'run_command', args: cwd === undefined ? args : { ...args, cwd } } };
};

function tell({ timeout }: BashArgs, result: Partial<ResultOf<'run_command'>>, context: UseContext): UseResult {
  const { exit_code: code, timed_out: timedOut, signal, cwd_after: after } = result;
  const ending =
    timedOut === true ? `Command timed out after ${String(timeout / 1_000)} seconds` : code === 0 ? '' : endingOf(code, signal);
  const output = outputOf(result);
  const lines = [ending, output || '(no output)'].filter((line) => line !== '');
  const { marks, root, has } = context;
  if (!has('x5') || timedOut === true || typeof code !== 'number') return { text: lines.join('\n'), isError: ending !== '' };
  const cwd = typeof after === 'string' ? (after === '.' ? '' : after) : '';
  const isReset = typeof after !== 'string';
  return {
    text: [...lines, ...(isReset ? [`[directory reset to ${root}]`] : [])].join('\n'),
    isError: ending !== '',
    marks: cwd === marks.cwd ? undefined : { cwd },
  };
}

const endingOf = (code: number | null | undefined, signal: string | undefined): string =>
  typeof code === 'number' ? `Exit code ${String(code)}` : `Ended by ${signal ?? 'a signal'}`;
