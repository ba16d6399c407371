import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { ToolFailure } from '../../tool-failure.js';
import type { ReadyCommand } from '../commands.js';
import { findProcess } from '../shell/process-table.js';
import { endTree, type ProcessTree } from '../shell/process-tree.js';
import { MarkedOutput } from './marked-output.js';
import { SHELL_LOOP } from './shell-loop.js';

/** A command for a lasting shell. */
interface LastingRun {
  readonly command: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onBytes: (stream: 'stdout' | 'stderr', bytes: Buffer) => void;
}

/** How it ended. `over`: the shell is gone. */
export type LastingEnd = { readonly over: false; readonly exitCode: number; readonly directory: string } | LastingOver;
interface LastingOver {
  readonly over: true;
  readonly cause: 'exit' | 'timeout' | 'cancel';
  readonly exitCode: number | null;
  readonly endedBy: NodeJS.Signals | null;
}

/** Between asking processes to end and killing them, and for what they still write, in milliseconds. */
const GRACE_MS = 500;
const DRAIN_MS = 500;

/** One bash that goes on from command to command, in a session of its own. */
export class LastingShell {
  private readonly out = new MarkedOutput();
  private readonly err = new MarkedOutput();
  private says = '';
  private onSaid: () => void = () => undefined;
  private readonly exited: Promise<void>;
  private isOver = false;

  private constructor(
    private readonly child: ChildProcess,
    private readonly tree: ProcessTree,
  ) {
    const [, stdout, stderr, , says] = child.stdio as unknown as [null, Readable, Readable, Writable, Readable];
    stdout.on('data', (chunk: Buffer) => this.out.add(chunk));
    stderr.on('data', (chunk: Buffer) => this.err.add(chunk));
    says.on('data', (chunk: Buffer) => {
      this.says = (this.says + chunk.toString('utf8')).slice(-MAX_SAID);
      this.onSaid();
    });
    for (const stream of child.stdio) stream?.on('error', () => undefined); // its end says more
    this.exited = new Promise((resolve) => void child.once('exit', () => resolve()));
    void this.exited.then(() => (this.isOver = true));
    this.hold(false);
  }

  /** @throws ToolFailure `PERMISSION_DENIED` if it cannot be started */
  static async start({ shell, directory, environment, marker }: ReadyCommand): Promise<LastingShell> {
    const child = spawn(shell.program, ['--norc', '--noprofile', '-c', SHELL_LOOP, 'bash'], {
      cwd: directory.path,
      env: environment,
      detached: true, // a session of its own
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(new ToolFailure('PERMISSION_DENIED', `The shell cannot be started: the system answers ${error.code ?? 'nothing'}.`)),
      );
    });
    return new LastingShell(child, { marker, leader: await findProcess(child.pid!) });
  }

  get pid(): number {
    return this.child.pid!; // it has started
  }

  get isAlive(): boolean {
    return !this.isOver && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Runs a command to its end, or until it is stopped: then the shell is over, with everything that it started. */
  async run({ command, timeoutMs, signal, onBytes }: LastingRun): Promise<LastingEnd> {
    this.hold(true);
    const mark = randomBytes(16).toString('hex');
    const ends = Promise.all([
      this.out.until(Buffer.from(mark), (bytes) => onBytes('stdout', bytes)),
      this.err.until(Buffer.from(mark), (bytes) => onBytes('stderr', bytes)),
      this.said(mark),
    ]).then(() => 'done' as const);
    const stop = stopOf(timeoutMs, signal);
    (this.child.stdio[3] as Writable).write(`${mark}\0${command}\0`);
    try {
      const cause = await Promise.race([ends, this.exited.then(() => 'exit' as const), stop.stopped]);
      return cause === 'done' ? this.ended(mark) : await this.over(cause);
    } finally {
      stop.done();
      if (this.isAlive) this.hold(false);
    }
  }

  /** Ends it, with everything that it started. */
  async end(): Promise<void> {
    await endTree(this.tree, GRACE_MS);
    this.isOver = true;
    this.child.unref();
  }

  private ended(mark: string): LastingEnd {
    const [, exitCode, directory = ''] = new RegExp(`${mark} (\\d+) ([^\\0]*)\\0`).exec(this.says) ?? [];
    return { over: false, exitCode: Number(exitCode), directory: directory.replace(/\n$/, '') };
  }

  private async over(cause: LastingOver['cause']): Promise<LastingOver> {
    await atMost(DRAIN_MS, cause === 'exit' ? this.closed() : Promise.resolve());
    await this.end();
    await atMost(DRAIN_MS, this.closed());
    for (const part of [this.out, this.err]) part.flush();
    for (const stream of this.child.stdio) stream?.destroy();
    return { over: true, cause, exitCode: this.child.exitCode, endedBy: this.child.signalCode };
  }

  private async closed(): Promise<void> {
    const ended = (stream: Readable | null): Promise<void> =>
      stream === null || stream.readableEnded || stream.destroyed
        ? Promise.resolve()
        : new Promise((resolve) => void stream.once('close', () => resolve()));
    await Promise.all([ended(this.child.stdout), ended(this.child.stderr)]);
  }

  private said(mark: string): Promise<void> {
    this.says = '';
    return new Promise((resolve) => {
      this.onSaid = () => {
        if (new RegExp(`${mark} \\d+ [^\\0]*\\0`).test(this.says)) resolve();
      };
    });
  }

  /** Whether this process waits for it: an idle shell keeps no client from ending. */
  private hold(isHeld: boolean): void {
    for (const each of [this.child, ...this.child.stdio] as readonly (Holdable | null)[]) {
      if (isHeld) each?.ref?.();
      else each?.unref?.();
    }
  }
}

/** What keeps a process from ending as long as it is held: a child, and its pipes. */
interface Holdable {
  ref?(): void;
  unref?(): void;
}

/** Characters of what a shell says of one command. */
const MAX_SAID = 16_384;

/** What ends a command before its time; `done` lets go of the timer and the listener. */
const stopOf = (timeoutMs: number, signal: AbortSignal): { readonly stopped: Promise<'timeout' | 'cancel'>; done(): void } => {
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

async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([promise, over]).finally(() => clearTimeout(timer));
}
