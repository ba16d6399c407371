import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Recorder } from '../recording/recorder.js';

export type ProcessKind = 'gateway' | 'agent-runtime' | 'llm-proxy' | 'redis' | 'sentinel';

/** `starting` is from the spawn until it is ready, `ending` from the signal to its exit. */
export type ProcessState = 'down' | 'starting' | 'up' | 'frozen' | 'ending';

/** Starts one life of a process; resolves with it at once, and with `ready` when it works. */
export type LaunchLife = () => {
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  /** Whether it ended since somebody else has its port, who is not of this system. */
  readonly hadNoPlace?: () => boolean;
};

/**
 * How long an orderly end may take: a drain of 1.5 s and what the services add to it is over within 5.5 s, but one that is told while it
 * starts, or while Redis hangs, begins with that later.
 */
const END_MS = 15_000;

/** Between the end that nobody asked for and the next start, as a supervisor would wait. */
const RESTART_MS = 100;

/**
 * A process that faults act on. One that ends although nobody told it to is started again, as a supervisor would do. Everything that
 * happens to it, and each line that it writes, is recorded.
 */
export class ChaosProcess {
  private child: ChildProcess | undefined;
  private present: ProcessState = 'down';
  private sinceMs = performance.now();
  /** Whether it is to run: what is down by a fault stays so until `start`. */
  private wanted = false;
  private starting: Promise<void> | undefined;
  private isOver = false;
  /** By which signal its present life was asked to end. */
  private asked: 'SIGKILL' | 'SIGTERM' | 'late' | undefined;

  constructor(
    readonly name: string,
    readonly kind: ProcessKind,
    private launch: LaunchLife,
    private readonly recorder: () => Pick<Recorder, 'record'>,
  ) {}

  get state(): ProcessState {
    return this.present;
  }

  /** How long it has been in its state. */
  get forMs(): number {
    return performance.now() - this.sinceMs;
  }

  /** 0 while it is down. */
  get pid(): number {
    return this.present === 'down' ? 0 : (this.child?.pid ?? 0);
  }

  /** Another program from its next start on. */
  become(launch: LaunchLife): void {
    this.launch = launch;
  }

  /** Resolves when it is ready; at once where it runs, or was closed. */
  start(): Promise<void> {
    if (this.isOver) return Promise.resolve();
    this.wanted = true;
    if (this.isUp) return Promise.resolve();
    const under = this.starting;
    if (under !== undefined && this.present === 'starting') return under;
    // One that was ended on its way leads nowhere: another follows it.
    const starting: Promise<void> = (under ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => this.begin())
      .finally(() => this.starting === starting && (this.starting = undefined));
    return (this.starting = starting);
  }

  private get isUp(): boolean {
    return this.present === 'up' || this.present === 'frozen';
  }

  /** Ends it for good: a fault that is healed only now starts nothing any more. */
  async close(): Promise<void> {
    this.isOver = true;
    await this.end('SIGKILL');
  }

  /** Sends SIGKILL or SIGTERM and resolves when it has ended. It stays down until `start`. */
  async end(signal: 'SIGKILL' | 'SIGTERM', withinMs = END_MS): Promise<void> {
    this.wanted = false;
    const { child } = this;
    if (child === undefined || hasEnded(child)) return;
    const exited = once(child, 'exit');
    const isTold = this.present === 'ending' && signal === 'SIGTERM'; // a second time would mean: at once
    if (this.present === 'frozen' && signal === 'SIGTERM') this.thaw();
    this.present = 'ending';
    this.sinceMs = performance.now();
    this.asked = signal;
    if (!isTold) child.kill(signal);
    const timer = setTimeout(() => {
      this.asked = 'late';
      child.kill('SIGKILL');
    }, withinMs);
    await exited;
    clearTimeout(timer);
  }

  /** SIGSTOP: it keeps its sockets and its memory, and does nothing. */
  freeze(): void {
    if (this.present !== 'up') return;
    this.child?.kill('SIGSTOP');
    this.change('frozen');
  }

  thaw(): void {
    if (this.present !== 'frozen') return;
    this.child?.kill('SIGCONT');
    this.change('up', 'thawed');
  }

  signal(signal: NodeJS.Signals): void {
    if (this.present === 'up' || this.present === 'frozen') this.child?.kill(signal);
  }

  private async begin(): Promise<void> {
    if (this.present === 'ending' && this.child !== undefined && !hasEnded(this.child)) await once(this.child, 'exit');
    if (this.isOver || this.isUp || !this.wanted) return;
    const { child, ready, hadNoPlace } = this.launch();
    this.child = child;
    this.asked = undefined;
    this.change('starting', 'started');
    for (const stream of [child.stdout, child.stderr]) if (stream) this.readLines(stream);
    child.once('exit', (code, signal) => {
      if (this.child !== child) return;
      this.present = 'down';
      this.sinceMs = performance.now();
      const asked = this.asked ?? (hadNoPlace?.() === true ? 'port-taken' : undefined);
      this.recorder().record({ kind: 'process', name: this.name, pid: child.pid ?? 0, what: 'exited', code, signal, asked });
      if (this.wanted) setTimeout(() => void (this.wanted && this.start().catch(() => undefined)), RESTART_MS).unref();
    });
    await ready;
    if (this.child === child && this.present === 'starting') this.change('up', 'ready');
  }

  private readLines(stream: Readable): void {
    createInterface({ input: stream, crlfDelay: Infinity }).on('line', (line) =>
      this.recorder().record({ kind: 'log', process: this.name, line }),
    );
  }

  private change(state: ProcessState, what: 'started' | 'ready' | 'frozen' | 'thawed' = 'frozen'): void {
    this.present = state;
    this.sinceMs = performance.now();
    this.recorder().record({ kind: 'process', name: this.name, pid: this.child?.pid ?? 0, what });
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;
