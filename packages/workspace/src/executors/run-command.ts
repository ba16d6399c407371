import { DEFAULT_COMMAND_MS, judgeCommand } from '@codelab/tools';
import type { Executor } from './executor.js';
import { previewCommand } from '../processes/approval/preview-command.js';
import { runShell } from '../processes/shell/run-shell.js';

/** Runs a command and waits for it (docs/specification/tools.md#run_command). A failure of the command is a result; only one that didn't run is an error. */
export const runCommand: Executor<'run_command'> = {
  watched: ({ command }) => judgeCommand(command).verdict !== 'automatic',
  run: ({ command, cwd, timeout_ms: timeoutMs = DEFAULT_COMMAND_MS }, { commands, approved, operands, signal, onOutput }) =>
    commands.prepare({ command, cwd, approved, operands, signal }, async ({ directory, environment, marker, shell }) => {
      const where = { directory: directory.path, directoryText: directory.text };
      const { exitCode, endedBy, stdout, stderr, durationMs, timedOut } = await runShell({
        ...where,
        ...{ shell, environment, marker, timeoutMs, signal, onOutput },
      });
      return {
        exit_code: exitCode,
        stdout: stdout.text,
        stderr: stderr.text,
        duration_ms: durationMs,
        timed_out: timedOut,
        truncated: stdout.truncated || stderr.truncated,
        signal: endedBy ?? undefined,
      };
    }),
  preview: ({ command, cwd }, { commands }) => previewCommand(commands, command, cwd),
};
