import { DEFAULT_COMMAND_MS, judgeCommand } from '@codelab/tools';
import type { Executor } from './executor.js';
import { previewCommand } from '../processes/approval/preview-command.js';
import { runShell } from '../processes/shell/run-shell.js';

/** Runs a command and waits for it (docs/specification/tools.md#run_command). A failure of the command is a result; only one that didn't run is an error. */
export const runCommand: Executor<'run_command'> = {
  watched: ({ command }) => judgeCommand(command).verdict !== 'automatic',
  run: ({ command, cwd, timeout_ms: timeoutMs = DEFAULT_COMMAND_MS }, context) => {
    const { commands, approved, operands, signal, onOutput, logs, reports } = context;
    return commands.prepare({ command, cwd, approved, operands, signal }, async (ready) => {
      const { directory, marker } = ready;
      const [report, log] = [await reports.begin(ready), logs.begin(context)];
      const { shell, environment } = report;
      const where = { directory: directory.path, directoryText: directory.text };
      const [run, ended] = await runShell({
        ...where,
        ...{ shell, environment, marker, timeoutMs, signal, onOutput, onBytes: log.add },
      }).then(
        (end) => [end, undefined] as const,
        (error: unknown) => [undefined, error] as const,
      );
      const [cwdAfter, path] = [await report.read(directory.segments.join('/') || '.'), await log.end()];
      if (run === undefined) throw ended;
      const { exitCode, endedBy, stdout, stderr, durationMs, timedOut } = run;
      return {
        exit_code: exitCode,
        stdout: stdout.text,
        stderr: stderr.text,
        duration_ms: durationMs,
        timed_out: timedOut,
        truncated: stdout.truncated || stderr.truncated,
        signal: endedBy ?? undefined,
        cwd_after: cwdAfter,
        log: path,
      };
    });
  },
  preview: ({ command, cwd }, { commands }) => previewCommand(commands, command, cwd),
};
