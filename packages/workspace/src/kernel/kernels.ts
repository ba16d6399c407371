import { Mutex } from 'async-mutex';
import { randomUUID } from 'node:crypto';
import { inheritedEnvironment } from '../inherited-environment.js';
import { commandEnvironment } from '../processes/shell/command-environment.js';
import type { SessionMemory } from '../processes/lasting/session-memory.js';
import { ToolFailure } from '../tool-failure.js';
import { findKernel, findPythons } from './find-python.js';
import { KernelProcess, type CellEnd, type CellRun } from './kernel-process.js';

/** Which kernel the person chose; what is absent is found. */
export interface KernelChoice {
  /** The Python that runs it, or that has `jupyter_client` for it: an absolute path. */
  readonly python?: string | undefined;
  /** The name of a kernel specification, such as `ir` or `julia-1.11`; without, the Python itself. */
  readonly name?: string | undefined;
}

/** Kernels of a workspace at once. */
const MAX_KERNELS = 4;

/** After so long without a cell a kernel is ended, in milliseconds. */
const IDLE_MS = 60 * 60 * 1000;

/** How to get one, for people and models. */
export const HOW_TO_INSTALL = 'install one with `pip install ipykernel` (Debian, Ubuntu: `apt install python3-ipykernel`)';

/** How a cell ended, and what is told of its kernel. */
export interface RanCell {
  readonly end: CellEnd;
  /** The session had a kernel before, whose variables are gone. */
  readonly restarted: boolean;
  /** What was started for this cell: `Python 3.13.1 (/usr/bin/python3)`. */
  readonly started?: string | undefined;
}

/** What a person is told of the kernel of a session. */
export type KernelState =
  | { readonly kind: 'none' }
  | { readonly kind: 'idle' | 'busy'; readonly display: string; readonly cells: number; readonly pid: number };

interface Held {
  readonly kernel: KernelProcess;
  readonly display: string;
  readonly pid: number;
  cells: number;
  idle?: NodeJS.Timeout;
}

/** The kernels of a workspace, one of each session. They start with the first cell, and end with this process, however it ends. */
export class Kernels {
  private readonly held = new Map<string, Held>();
  private readonly turns = new Map<string, Mutex>();
  /** The Python that had a kernel the last time. */
  private found: string | undefined;

  /** @param memory where it is remembered that a session had a kernel */
  constructor(
    private readonly root: string,
    private readonly memory: SessionMemory,
    private readonly choice: KernelChoice = {},
    private readonly idleMs = IDLE_MS,
  ) {}

  /** Whether there is a kernel to offer, as far as files tell. Runs nothing. */
  async isInstalled(): Promise<boolean> {
    return this.choice.python !== undefined || (await findKernel(this.root)) !== undefined;
  }

  stateOf(sessionId: string): KernelState {
    const held = this.living(sessionId);
    if (held === undefined) return { kind: 'none' };
    const { kernel, display, cells, pid } = held;
    return { kind: kernel.isBusy ? 'busy' : 'idle', display, cells, pid };
  }

  /**
   * Runs a cell behind the other cells of the session.
   *
   * @throws ToolFailure if there is no kernel, or too many; nothing was run then
   */
  async run(sessionId: string, cell: CellRun): Promise<RanCell> {
    const turn = this.turns.get(sessionId) ?? new Mutex();
    this.turns.set(sessionId, turn);
    return turn.runExclusive(async () => {
      cell.signal.throwIfAborted();
      const had = this.living(sessionId);
      const held = had ?? (await this.start(sessionId, cell.signal));
      const restarted = had === undefined && !(await this.memory.isFirst(sessionId));
      clearTimeout(held.idle);
      held.cells += 1;
      const end = await held.kernel.run(cell);
      if (end.kind === 'over') this.forget(sessionId, held);
      else held.idle = this.endLater(sessionId, held);
      return { end, restarted, started: had === undefined ? held.display : undefined };
    });
  }

  /** Stops the cell of a session that runs; `false`: none does. */
  interrupt(sessionId: string): boolean {
    const held = this.living(sessionId);
    if (held === undefined || !held.kernel.isBusy) return false;
    held.kernel.interrupt();
    return true;
  }

  /** Ends the kernel of a session, if there is one; the next cell has a new one, as is expected then. */
  async restart(sessionId: string): Promise<void> {
    await this.end(sessionId);
    await this.memory.forget(sessionId);
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    await Promise.all([...this.held.keys()].map((sessionId) => this.end(sessionId)));
  }

  private living(sessionId: string): Held | undefined {
    const held = this.held.get(sessionId);
    if (held?.kernel.isAlive === true) return held;
    if (held !== undefined) this.forget(sessionId, held);
    return undefined;
  }

  /** Ends the kernel of a session, if there is one. The next cell has a new one, and says that its variables are gone. */
  async end(sessionId: string): Promise<void> {
    const held = this.held.get(sessionId);
    if (held === undefined) return;
    this.forget(sessionId, held);
    await held.kernel.end();
  }

  private forget(sessionId: string, held: Held): void {
    clearTimeout(held.idle);
    if (this.held.get(sessionId) === held) this.held.delete(sessionId);
  }

  private endLater(sessionId: string, held: Held): NodeJS.Timeout {
    const timer = setTimeout(() => {
      if (this.held.get(sessionId) === held && !held.kernel.isBusy) void this.end(sessionId);
    }, this.idleMs);
    return timer.unref();
  }

  private async start(sessionId: string, signal: AbortSignal): Promise<Held> {
    for (const id of [...this.held.keys()]) this.living(id);
    if (this.held.size >= MAX_KERNELS) await this.endOldest();
    const { name } = this.choice;
    const reasons: string[] = [];
    for (const python of await this.candidates()) {
      const environment = commandEnvironment(this.root, randomUUID());
      const started = await KernelProcess.start({ python, name, root: this.root, environment, signal });
      signal.throwIfAborted();
      if (started.kind === 'ready') {
        this.found = python;
        const where = started.python.startsWith(`${this.root}/`) ? started.python.slice(this.root.length + 1) : started.python;
        const passed =
          reasons.length > 0 && !python.startsWith(`${this.root}/`) ? reasons.filter((each) => each.startsWith(this.root)) : [];
        const note = passed.length === 0 ? '' : `; not the environment of the workspace: ${passed[0]!.slice(this.root.length + 1)}`;
        const held: Held = { kernel: started.kernel, display: `${started.display} (${where}${note})`, pid: started.kernel.pid!, cells: 0 }; // it runs
        this.held.set(sessionId, held);
        return held;
      }
      reasons.push(started.kind === 'missing' ? `${python} has not what it takes: ${started.message}` : started.message);
      if (started.kind === 'failed' && python === this.choice.python) break;
    }
    const tried = reasons.length === 0 ? 'no Python was found' : reasons.slice(0, 4).join('; ');
    throw new ToolFailure('PERMISSION_DENIED', `No kernel could be started (${tried}). The user can ${HOW_TO_INSTALL}. Nothing was run.`);
  }

  /** What worked the last time comes first, but for the environment of the workspace: it may have got a kernel meanwhile. */
  private async candidates(): Promise<readonly string[]> {
    if (this.choice.python !== undefined) return [this.choice.python];
    const all = await findPythons(this.root, inheritedEnvironment(this.root));
    const rank = ({ path, isOfWorkspace }: (typeof all)[number]): number => (isOfWorkspace ? 0 : path === this.found ? 1 : 2);
    return [...all].sort((one, other) => rank(one) - rank(other)).map(({ path }) => path);
  }

  /** Makes room: the kernel goes that has not been used for longest, unless all are at work. */
  private async endOldest(): Promise<void> {
    const oldest = [...this.held].find(([, { kernel }]) => !kernel.isBusy);
    if (oldest === undefined) throw new ToolFailure('CONFLICT', `${String(MAX_KERNELS)} kernels are at work, which is the limit.`);
    await this.end(oldest[0]);
  }
}
