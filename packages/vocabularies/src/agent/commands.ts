import type { ResultOf } from '@codelab/tools';
import { failed } from '../claude-code/read-marks.js';
import { withPath } from '../table/with-path.js';
import { readBackground, startBackground, stopBackground } from '../render/background.js';
import { outputOf, type OutputShare } from '../render/command-text.js';
import { canonicalError } from '../table/composite.js';
import { resultOf } from '../table/result-of.js';
import { defineRow, type UseResult } from '../table/row.js';
import { takes } from '../table/takes.js';
import type { UseContext } from '../table/use-context.js';

interface CommandArgs {
  readonly command: string;
  readonly cwd?: string;
  readonly timeout_ms: number;
  readonly background: boolean;
}

/** `run_command`: a shell command, waited for or in the background. */
export const runCommand = defineRow<CommandArgs>({
  name: 'run_command',
  displayName: 'Run command',
  description:
    'Runs a shell command in the workspace and gives exit code and output: builds, tests, package managers, git. Where it ends with cd the next one goes on. ' +
    'No input: use flags such as --yes. Run the narrowest test that shows what you need. background: for servers and watchers, then process_output.',
  parameters: takes(['command'], {
    command: { type: 'string', minLength: 1, maxLength: 32_768, description: 'The command.' },
    cwd: { type: 'string', description: 'Directory; where the last command ended without.' },
    timeout_ms: { type: 'integer', minimum: 1, maximum: 600_000, default: 120_000, description: 'After it the command is stopped.' },
    background: { type: 'boolean', default: false, description: 'Do not wait for its end.' },
  }),
  aliases: { run_persistent: ({ command = null, cwd = null }) => ({ command, cwd, background: true }) },
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['run_command'],
  stands: 'run_command',
  next: ({ command, cwd, timeout_ms, background }, outcomes, context) =>
    withPath(cwd ?? context.marks.cwd, context, (directory) => {
      const where = directory === '.' ? {} : { cwd: directory };
      if (background) return startBackground({ command, prefix: 'command', ...where }, outcomes, context);
      const outcome = outcomes.at(-1);
      if (outcome === undefined) return { call: { tool: 'run_command', args: { command, ...where, timeout_ms } } };
      return outcome.ok
        ? tell(resultOf('run_command', outcome), timeout_ms, context)
        : failed(canonicalError(outcome.code, outcome.message));
    }),
});

/** With the failures from the middle it stays below 30,000. */
const SHARE: OutputShare = { head: 15_000, tail: 9_000, showsFailures: true };

/** `exit code 0 in 1.2 s`, the directory if it is another one, then the output. */
function tell(result: Partial<ResultOf<'run_command'>>, timeoutMs: number, { marks, has }: UseContext): UseResult {
  const { exit_code: code, signal, duration_ms: took = 0, timed_out: timedOut, cwd_after: after } = result;
  const seconds = `${(took / 1_000).toFixed(1)} s`;
  const ending = timedOut
    ? `stopped after ${String(timeoutMs / 1_000)} s: give it more with timeout_ms, or run it in the background`
    : typeof code === 'number'
      ? `exit code ${String(code)} in ${seconds}`
      : `ended by ${signal ?? 'a signal'} after ${seconds}`;
  const carries = has('x5') && timedOut !== true && typeof code === 'number';
  const cwd = carries ? (after === undefined || after === '.' ? '' : after) : marks.cwd;
  const moved = cwd === marks.cwd ? '' : `; now in ${cwd === '' ? 'the root of the workspace' : cwd}`;
  const output = outputOf(result, SHARE);
  const unknown = code === 127 ? '\n[a command was not found: is it installed, and is it run by the package manager, such as npx?]' : '';
  return {
    text: `[${ending}${moved}]\n${output === '' ? '(no output)' : output}${unknown}`,
    isError: code !== 0,
    marks: cwd === marks.cwd ? undefined : { cwd },
  };
}

/** `process_output`: what a background command has written since the last look. */
export const processOutput = defineRow<{ readonly process_id: string; readonly filter?: string; readonly wait_ms: number }>({
  name: 'process_output',
  displayName: 'Read command output',
  description:
    'Shows what a background command has written since you last looked, and whether it still runs. filter keeps lines in which a regular expression is found.',
  parameters: takes(['process_id'], {
    process_id: { type: 'string', minLength: 1, description: 'The name that run_command gave.' },
    filter: { type: 'string', description: 'A regular expression.' },
    wait_ms: { type: 'integer', minimum: 0, maximum: 600_000, default: 0, description: 'Wait so long for its end.' },
  }),
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['process.output'],
  stands: 'process.output',
  next: ({ process_id: id, filter, wait_ms }, outcomes, context) => readBackground({ id, filter, blockMs: wait_ms }, outcomes, context),
});

/** `kill_process`: stops a background command. */
export const killProcess = defineRow<{ readonly process_id: string }>({
  name: 'kill_process',
  displayName: 'Stop command',
  description: 'Stops a background command of this session, with all that it started.',
  parameters: takes(['process_id'], { process_id: { type: 'string', minLength: 1, description: 'The name that run_command gave.' } }),
  policy: 'allow',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['kill_process', 'process.output'],
  stands: 'kill_process',
  next: ({ process_id: id }, outcomes, context) => stopBackground(id, outcomes, context),
});
