import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Environment } from '../../inherited-environment.js';
import { ToolFailure } from '../../tool-failure.js';
import type { Shell } from './choose-shell.js';
import { OutputEnds } from './output-ends.js';
import { findProcess } from './process-table.js';
import { endTree, type ProcessTree } from './process-tree.js';

interface ShellRun {
  readonly shell: Shell;
  /** A path that leads to the directory even if its name is swapped meanwhile. */
  readonly directory: string;
  /** The directory as the caller named it. */
  readonly directoryText: string;
  readonly environment: Environment;
  readonly marker: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (stream: 'stdout' | 'stderr', data: string) => void;
  /** Hears all bytes of both streams, as they come. */
  readonly onBytes?: (chunk: Buffer) => void;
}

/** How a command ended; a failure of its own is an end like any other. */
interface ShellEnd {
  readonly exitCode: number | null;
  readonly endedBy: NodeJS.Signals | null;
  readonly stdout: OutputEnds;
  readonly stderr: OutputEnds;
  readonly durationMs: number;
  readonly timedOut: boolean;
}

/** Between asking a stopped command to end and killing it, in milliseconds: a cancelled call has to answer within 800. */
const GRACE_MS = 500;

/** How long processes that a finished shell left behind may go on writing, in milliseconds. */
const DRAIN_MS = 500;

type Child = ChildProcessByStdio<null, Readable, Readable>;

const startFailure = (directory: string, error: NodeJS.ErrnoException): ToolFailure =>
  new ToolFailure(
    error.code === 'ENOENT' ? 'FILE_NOT_FOUND' : 'PERMISSION_DENIED',
    `The command cannot be started in ${directory}: the system answers ${error.code ?? 'nothing'}. Nothing was run.`,
    { cause: error },
  );

const start = async ({ shell, directory, directoryText, environment }: ShellRun): Promise<Child> => {
  const child = spawn(shell.program, [...shell.args], {
    cwd: directory,
    env: environment,
    detached: process.platform !== 'win32', // a session of its own
    windowsHide: true,
    windowsVerbatimArguments: shell.verbatim,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(startFailure(directoryText, error)));
  });
  return child;
};

/** What ends a command before its time; `done` lets go of the timer and the listener. */
const watchForStop = (timeoutMs: number, signal: AbortSignal): { readonly stopped: Promise<'timeout' | 'cancel'>; done(): void } => {
  let done = (): void => undefined;
  const stopped = new Promise<'timeout' | 'cancel'>((resolve) => {
    const timer = setTimeout(() => resolve('timeout'), timeoutMs);
    const onAbort = (): void => resolve('cancel');
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
  return { stopped, done };
};

const collect = (stream: Readable, name: 'stdout' | 'stderr', { onOutput, onBytes }: ShellRun): OutputEnds => {
  const kept = new OutputEnds();
  const emit = (text: string): void => {
    if (text !== '') onOutput(name, text);
  };
  stream.on('data', (chunk: Buffer) => {
    onBytes?.(chunk);
    emit(kept.add(chunk));
  });
  stream.once('close', () => emit(kept.end()));
  stream.on('error', () => undefined); // what came until then counts
  return kept;
};

/** The shell as a process. One that has ended already has no birth to be told; its session can still have others in it. */
const leaderOf = async (child: Child): Promise<ProcessTree['leader']> =>
  (await findProcess(child.pid!)) ?? { pid: child.pid!, birth: '', began: 0 }; // it has started, so it has a pid

/**
 * Runs a command in a fresh shell, without input, to its end or until it is stopped. Nothing that it started outlives it: on a timeout, on
 * cancel and after its own end the whole tree is ended, also what left its process group. A process that holds the pipes open delays
 * the answer for a moment only.
 *
 * @throws ToolFailure `FILE_NOT_FOUND` or `PERMISSION_DENIED` if it cannot be started, `CANCELLED` if the signal stopped it
 */
export async function runShell(run: ShellRun): Promise<ShellEnd> {
  const { marker, timeoutMs, signal } = run;
  const began = performance.now();
  const child = await start(run);
  const [stdout, stderr] = [collect(child.stdout, 'stdout', run), collect(child.stderr, 'stderr', run)];
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const closed = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  const watch = watchForStop(timeoutMs, signal);
  const leader = leaderOf(child);
  const cause = await Promise.race([exited.then(() => 'exit' as const), watch.stopped]);
  if (cause === 'exit') await waitAtMost(Promise.race([closed, watch.stopped]), DRAIN_MS);
  watch.done();
  await endTree({ marker, leader: await leader }, GRACE_MS);
  await waitAtMost(closed, DRAIN_MS);
  for (const stream of [child.stdout, child.stderr]) stream.removeAllListeners('close').destroy(); // whoever holds them is out of reach
  child.unref();
  const durationMs = Math.round(performance.now() - began);
  if (cause === 'cancel') throw cancelled(signal, durationMs);
  return { exitCode: child.exitCode, endedBy: child.signalCode, stdout, stderr, durationMs, timedOut: cause === 'timeout' };
}

const cancelled = (signal: AbortSignal, durationMs: number): unknown => {
  const reason: unknown = signal.reason;
  if (reason instanceof Error && reason.name === 'TimeoutError') return reason;
  return new ToolFailure(
    'CANCELLED',
    `The command was stopped after ${String(durationMs)} ms with all that it had started. What it had done until then stays done.`,
  );
};

/** Waits for a promise, but not longer than so many milliseconds. Nothing is left of the wait. */
async function waitAtMost(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([promise, over]).finally(() => clearTimeout(timer));
}
