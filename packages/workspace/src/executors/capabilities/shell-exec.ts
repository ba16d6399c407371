import { DEFAULT_COMMAND_MS, type ResultOf } from '@codelab/tools';
import { NeedsApproval } from '../../processes/approval/needs-approval.js';
import { previewCommand } from '../../processes/approval/preview-command.js';
import type { ReadyCommand } from '../../processes/commands.js';
import { OutputEnds } from '../../processes/shell/output-ends.js';
import { ToolFailure } from '../../tool-failure.js';
import type { CallContext, CallPreview, Executor, Surroundings } from '../executor.js';

interface Order {
  readonly shellId: string;
  readonly command: string;
  readonly timeoutMs: number;
}

const stoppedBy = (signal: AbortSignal, durationMs: number): unknown =>
  signal.reason instanceof Error && signal.reason.name === 'TimeoutError'
    ? signal.reason
    : new ToolFailure('CANCELLED', `The command was stopped after ${String(durationMs)} ms, and the shell with all that it had started.`);

async function runIn(ready: ReadyCommand, { shellId, command, timeoutMs }: Order, context: CallContext): Promise<ResultOf<'shell.exec'>> {
  const { shells, logs, signal, onOutput, sessionId } = context;
  const name = { sessionId, shellId };
  const { shell, restarted } = await shells.open(name, ready);
  await ready.verify();
  const [log, ends] = [logs.begin(context), { stdout: new OutputEnds(), stderr: new OutputEnds() }];
  const began = performance.now();
  const emit = (stream: 'stdout' | 'stderr', text: string): void => {
    if (text !== '') onOutput(stream, text);
  };
  const end = await shell.run({
    ...{ command, timeoutMs, signal },
    onBytes: (stream, bytes) => {
      log.add(bytes);
      emit(stream, ends[stream].add(bytes));
    },
  });
  for (const stream of ['stdout', 'stderr'] as const) emit(stream, ends[stream].end());
  const [durationMs, path] = [Math.round(performance.now() - began), await log.end()];
  if (end.over && end.cause === 'cancel') throw stoppedBy(signal, durationMs);
  return {
    exit_code: end.over && end.cause === 'timeout' ? null : end.exitCode,
    stdout: ends.stdout.text,
    stderr: ends.stderr.text,
    duration_ms: durationMs,
    timed_out: end.over && end.cause === 'timeout',
    truncated: ends.stdout.truncated || ends.stderr.truncated,
    signal: end.over ? (end.endedBy ?? undefined) : undefined,
    cwd_after: end.over ? undefined : shells.moved(name, end.directory),
    restarted: restarted || undefined,
    ended: end.over || undefined,
    log: path,
  };
}

/** What an approver is shown: the command, and where the shell is. A directory that has gone meanwhile is none to look for files in. */
async function previewIn(command: string, shellId: string, { commands, shells, sessionId }: Surroundings): Promise<CallPreview> {
  const place = shells.placeOf({ sessionId, shellId });
  const { preview, operands } = await previewCommand(commands, command, place).catch(() => previewCommand(commands, command));
  const left = place === undefined ? '\n\nThe shell has left the workspace, and runs it where it is.' : '';
  return { preview: { ...preview, text: `${preview.text}${left}` }, operands };
}

/** Runs a command in a shell of the session that lasts (docs/specification/tools.md#capabilities). Nothing runs in it that nobody approved. */
export const shellExec: Executor<'shell.exec'> = {
  watched: () => true,
  run: ({ shell_id: shellId, command, timeout_ms: timeoutMs = DEFAULT_COMMAND_MS }, context) => {
    const { commands, approved, operands, signal } = context;
    if (!approved) throw new NeedsApproval('in a lasting shell every command is asked about');
    return commands.prepare({ command, approved, operands, signal }, (ready) => runIn(ready, { shellId, command, timeoutMs }, context));
  },
  preview: ({ shell_id: shellId, command }, surroundings) => previewIn(command, shellId, surroundings),
};
