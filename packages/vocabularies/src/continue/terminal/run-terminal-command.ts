import type { JsonObject } from '@codelab/tools';
import { startBackground } from '../../render/background.js';
import { outputOf } from '../../render/command-text.js';
import { canonicalError } from '../../table/composite.js';
import { defineRow, type Next, type UseResult } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { withPath } from '../../table/with-path.js';
import { failed, itemsResult } from '../items.js';

interface Args {
  readonly command: string;
  readonly waitForCompletion: boolean;
  readonly workingDirectory?: string;
}

const TIMEOUT_MS = 120_000;

/** Runs a shell command. */
export const runTerminalCommand = defineRow<Args>({
  name: 'run_terminal_command',
  displayName: 'Run command',
  description:
    'Runs a shell command in the workspace and shows its output; after 120 s it is stopped. Each call has a fresh shell: directory and ' +
    'variables do not carry over, nobody answers prompts, no sudo. For servers and watchers set waitForCompletion to false and look with ' +
    'read_terminal_output. Read and edit files with the file tools instead.',
  parameters: takes(['command'], {
    command: { type: 'string', minLength: 1, maxLength: 32_768, description: 'The command.' },
    waitForCompletion: { type: 'boolean', default: true, description: 'false: it goes on in the background.' },
    workingDirectory: { type: 'string', description: 'Directory to run in, relative to the workspace root, which it is if left out.' },
  }),
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['run_command'],
  stands: 'run_command',
  check: ({ waitForCompletion }, context) =>
    waitForCompletion || (context.has('run_persistent') && context.has('process.output'))
      ? undefined
      : 'waitForCompletion: false; expected true, since this client runs nothing in the background',
  next: (args, outcomes, context) =>
    withPath(args.workingDirectory || '.', context, (cwd): Next => {
      const where: JsonObject = cwd === '.' ? {} : { cwd };
      if (!args.waitForCompletion) {
        const told = (id: string): string => statusLine(`running in the background as ${id}`);
        return startBackground({ command: args.command, prefix: 'term', cwd: cwd === '.' ? undefined : cwd, told }, outcomes, context);
      }
      const [outcome] = outcomes;
      if (outcome === undefined) {
        return { call: { tool: 'run_command', args: { command: args.command, ...where, timeout_ms: TIMEOUT_MS } } };
      }
      if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
      return terminal(args.command, outputOf(outcome.result), statusOf(outcome.result));
    }),
});

const statusLine = (status: string): string => `[Status: ${status}]`;

/** The model reads the output, then how it ended. */
const terminal = (command: string, content: string, status: string): UseResult => {
  const result = itemsResult({ name: 'Terminal', description: `Output of: ${command}`, content });
  return { ...result, text: `${content === '' ? '' : `${content}\n`}${statusLine(status)}` };
};

function statusOf({ exit_code: code, timed_out: timedOut, signal }: JsonObject): string {
  if (timedOut === true) return `timed out after ${String(TIMEOUT_MS / 1_000)} s`;
  if (typeof code === 'number') return code === 0 ? 'completed' : `failed with exit code ${String(code)}`;
  return `failed with signal ${typeof signal === 'string' ? signal : 'unknown'}`;
}
