import { join } from 'node:path';
import { DEFAULT_COMMAND_MS, judgeCommand } from '@codelab/tools';
import type { Executor } from './executor.js';
import { previewCommand } from '../processes/approval/preview-command.js';
import { runInTerminal } from '../processes/shell/run-in-terminal.js';
import { runShell } from '../processes/shell/run-shell.js';

type CommandEnd = NonNullable<Awaited<ReturnType<typeof runInTerminal>>> | Awaited<ReturnType<typeof runShell>>;

/** Runs a command and waits for it (docs/specification/tools.md#run_command). A failure of the command is a result; only one that didn't run is an error. */
export const runCommand: Executor<'run_command'> = {
  watched: ({ command }) => judgeCommand(command).verdict !== 'automatic',
  run: ({ command, cwd, timeout_ms: timeoutMs = DEFAULT_COMMAND_MS }, context) => {
    const { root, commands, approved, operands, signal, onOutput, logs, reports, callId } = context;
    const terminals = approved ? context.terminals : undefined; // what nobody decided on runs in an environment that is all ours
    return commands.prepare({ command, cwd, approved, operands, signal }, async (ready) => {
      const { directory, marker } = ready;
      const [report, log] = [await reports.begin(ready), logs.begin(context)];
      const { shell, environment } = report;
      const where = { directory: directory.path, directoryText: directory.text };
      const how = { shell, environment, marker, timeoutMs, signal, onOutput, onBytes: log.add };
      const begin = async (): Promise<CommandEnd> => {
        if (terminals !== undefined) {
          await directory.assertStill();
          const shown = await runInTerminal({ ...how, terminals, callId, directory: join(root, ...directory.segments) });
          if (shown !== undefined) return shown;
          signal.throwIfAborted();
        }
        return runShell({ ...where, ...how });
      };
      const [run, ended] = await begin().then(
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
