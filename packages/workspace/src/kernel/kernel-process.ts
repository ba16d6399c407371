import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../inherited-environment.js';
import { MARKER, endTree } from '../processes/shell/process-tree.js';
import { findProcess } from '../processes/shell/process-table.js';
import { readBridgeEvent, type BridgeEvent, type CellEvent } from './bridge-event.js';

/** Stands beside this file, in sources and in builds. */
const BRIDGE = fileURLToPath(new URL('./bridge.py', import.meta.url));

/** How long a kernel may take to start, in seconds: a cold disk, a busy machine. */
const START_SECONDS = 60;

/** How long a cell may take to end once it is interrupted, in milliseconds: less than a client waits for a call that it has cancelled. */
const INTERRUPT_MS = 3_000;

/** Between two interrupts of one cell, in milliseconds. */
const AGAIN_MS = 1_000;

/** Between asking processes to end and killing them, in milliseconds. */
const GRACE_MS = 200;

/** Characters of what the bridge and the kernel complain about: the last ones. */
const MAX_COMPLAINT = 2_000;

/** What a kernel is started with. */
export interface KernelStart {
  readonly python: string;
  /** The name of a kernel specification; without, the Python is the kernel. */
  readonly name?: string | undefined;
  readonly root: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** A kernel that is there, or why there is none. `missing`: this Python has not what it takes, another one may. */
export type StartedKernel =
  | { readonly kind: 'ready'; readonly kernel: KernelProcess; readonly display: string; readonly python: string }
  | { readonly kind: 'missing' | 'failed'; readonly message: string };

/** How a cell ended. `interrupted`: it was stopped, and the kernel lives. `over`: the kernel does not. */
export type CellEnd =
  | { readonly kind: 'done'; readonly count: number | null }
  | { readonly kind: 'interrupted'; readonly cause: StopCause; readonly count: number | null }
  | { readonly kind: 'over'; readonly cause: StopCause | 'death'; readonly code: number | null };
type StopCause = 'timeout' | 'cancel' | 'restart';

export interface CellRun {
  readonly code: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: CellEvent) => void;
}

/**
 * One Jupyter kernel, with the bridge before it (`bridge.py`, docs/notebooks.md). The bridge ends with this process, however it ends, and the
 * kernel with the bridge.
 */
export class KernelProcess {
  private cells = 0;
  private hear: (event: BridgeEvent) => void = () => undefined;
  private complaint = '';
  private isOver = false;
  private isEnding = false;
  private stop: ((cause: StopCause) => void) | undefined;
  private readonly exited: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly marker: string,
  ) {
    let begun: string[] = [];
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      const end = chunk.lastIndexOf('\n');
      begun.push(end === -1 ? chunk : chunk.slice(0, end));
      if (end === -1) return; // an image is a line of megabytes
      const lines = begun.join('').split('\n');
      begun = [chunk.slice(end + 1)];
      for (const line of lines) {
        const event = readBridgeEvent(line);
        if (event !== undefined) this.hear(event);
      }
    });
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      this.complaint = (this.complaint + chunk).slice(-MAX_COMPLAINT);
    });
    child.stdin!.on('error', () => undefined); // it has ended, which is heard elsewhere
    this.exited = new Promise((resolve) => {
      child.once('error', () => resolve());
      child.once('close', () => resolve());
    });
    void this.exited.then(() => (this.isOver = true));
  }

  /** Never rejects. Aborted, it answers `failed`, and nothing is left. */
  static async start({ python, name, root, environment, signal }: KernelStart): Promise<StartedKernel> {
    const child = spawn(python, ['-u', BRIDGE], {
      cwd: root,
      env: { ...environment, PYTHONIOENCODING: undefined, PYTHONUNBUFFERED: undefined, PYDEVD_DISABLE_FILE_VALIDATION: '1' },
      detached: process.platform !== 'win32', // a session of its own: no Ctrl-C of a terminal reaches it
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const kernel = new KernelProcess(child, environment[MARKER] ?? '');
    const onAbort = (): void => void kernel.end();
    signal.addEventListener('abort', onAbort, { once: true });
    const first = new Promise<BridgeEvent>((resolve) => (kernel.hear = resolve));
    kernel.order({ kernel: name ?? null, cwd: root, start_seconds: START_SECONDS });
    const event = await Promise.race([first, kernel.exited]);
    signal.removeEventListener('abort', onAbort);
    if (event?.event === 'ready') {
      kernel.hold(false);
      return { kind: 'ready', kernel, display: event.name, python: event.python };
    }
    await kernel.end();
    if (event?.event === 'missing') return { kind: 'missing', message: `${event.python} has no module ${event.module}` };
    const said = event?.event === 'failed' ? event.message : 'the program ended';
    const last = kernel.complaint.trim().split('\n').at(-1) ?? '';
    return { kind: 'failed', message: `${python}: ${said}${last === '' ? '' : ` (${last})`}` };
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get isAlive(): boolean {
    return !this.isOver && this.child.exitCode === null && this.child.signalCode === null;
  }

  get isBusy(): boolean {
    return this.stop !== undefined;
  }

  /** Runs a cell to its end, or until it is stopped: interrupted, and if that does nothing, with the kernel. One at a time. */
  async run({ code, timeoutMs, signal, onEvent }: CellRun): Promise<CellEnd> {
    this.hold(true);
    this.cells += 1;
    const id = this.cells;
    const ended = new Promise<CellEnd>((resolve) => {
      this.hear = (event) => {
        if (!('id' in event) || event.id !== id) return;
        if (event.event === 'done') resolve({ kind: 'done', count: event.count });
        else if (event.event === 'died') resolve({ kind: 'over', cause: 'death', code: event.code });
        else onEvent(event);
      };
    });
    const gone = this.exited.then((): CellEnd => ({ kind: 'over', cause: this.isEnding ? 'restart' : 'death', code: this.child.exitCode }));
    const end = Promise.race([ended, gone]);
    let cause: StopCause | undefined;
    const stopped = new Promise<void>((resolve) => {
      this.stop = (why) => {
        cause ??= why;
        resolve();
      };
    });
    const timer = setTimeout(() => this.stop?.('timeout'), timeoutMs);
    const onAbort = (): void => this.stop?.('cancel');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    this.order({ do: 'run', id, code });
    try {
      const first = await Promise.race([end, stopped]);
      const last = first ?? (await this.interruptCell(end));
      if (last === undefined || last.kind === 'over') {
        await this.end();
        return last ?? { kind: 'over', cause: cause ?? 'cancel', code: null };
      }
      return first === undefined && last.kind === 'done' ? { kind: 'interrupted', cause: cause!, count: last.count } : last; // it was stopped, so there is a cause
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.stop = undefined;
      if (this.isAlive) this.hold(false);
    }
  }

  /** Stops the cell that runs, if one does: as Ctrl-C does. Its variables stay. */
  interrupt(): void {
    this.order({ do: 'interrupt' });
  }

  /** Ends it, with everything that it started. */
  async end(): Promise<void> {
    this.isEnding = true;
    this.child.stdin?.end();
    if (this.child.pid === undefined) return;
    const leader = await findProcess(this.child.pid);
    await endTree({ marker: this.marker, leader }, GRACE_MS);
    this.isOver = true;
  }

  private async interruptCell(end: Promise<CellEnd>): Promise<CellEnd | undefined> {
    this.interrupt();
    const again = setInterval(() => this.interrupt(), AGAIN_MS); // the first may have come before the cell began
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), INTERRUPT_MS)));
    return Promise.race([end, over]).finally(() => {
      clearTimeout(timer);
      clearInterval(again);
    });
  }

  private order(order: object): void {
    if (this.child.stdin?.writable === true) this.child.stdin.write(`${JSON.stringify(order)}\n`);
  }

  /** Whether this process waits for it: an idle kernel keeps no client from ending. */
  private hold(isHeld: boolean): void {
    const { child } = this;
    for (const each of [child, child.stdin, child.stdout, child.stderr] as readonly (Holdable | null)[]) {
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
