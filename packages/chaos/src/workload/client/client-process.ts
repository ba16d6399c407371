import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ChaosEvent, ChaosEventBody } from '../../recording/chaos-event.js';
import type { ClientCommand, ClientConfig, ClientSession } from './client-config.js';
import type { ClientPool } from './client-pool.js';

/** A client process as those who break it see it. */
export interface WorkloadClient {
  readonly name: string;
  readonly pid: number;
  readonly state: 'up' | 'frozen' | 'down';
  /** Sends the signal; resolves when the process is gone, if the signal ends it. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Starts it again, with its journals and its sessions; ends it first if it lives. */
  restart(): Promise<void>;
}

/** What a client process is started with. */
export interface ClientProcessOptions {
  readonly name: string;
  readonly url: string;
  readonly origin: bigint;
  readonly pool: ClientPool;
  readonly record: (event: ChaosEventBody & { readonly at?: number }) => void;
}

/** A process with the real client and the real tools. What it was told to say and did not get through is said again after a restart. */
export class ClientProcess implements WorkloadClient {
  private readonly sessions: ClientSession[] = [];
  private child: ChildProcess | undefined;
  private isFrozen = false;
  private isClosed = false;

  constructor(private readonly options: ClientProcessOptions) {}

  get name(): string {
    return this.options.name;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get state(): 'up' | 'frozen' | 'down' {
    if (this.child === undefined) return 'down';
    return this.isFrozen ? 'frozen' : 'up';
  }

  /** Works on a session from now on. */
  open(session: ClientSession): void {
    this.sessions.push(session);
    if (this.child !== undefined) this.tell({ do: 'open', session });
  }

  /** Nothing where it was closed: a fault that is healed only now starts it no more. */
  start(): void {
    if (this.isClosed) return;
    const { name, url, origin, pool } = this.options;
    const child = pool.take();
    const { stdin, stdout, stderr } = child;
    if (stdin === null || stdout === null || stderr === null) throw new Error('A client process has no pipes.');
    this.child = child;
    this.isFrozen = false;
    this.happened('started');
    stdin.on('error', () => undefined); // it died while it was told something
    createInterface({ input: stdout }).on('line', (line) => this.take(line));
    createInterface({ input: stderr }).on('line', (line) => this.options.record({ kind: 'log', process: name, line }));
    child.once('exit', (code, signal) => {
      if (this.child === child) this.child = undefined;
      this.options.record({ kind: 'process', name, pid: child.pid ?? 0, what: 'exited', code, signal });
    });
    const config: ClientConfig = { name, url, origin: String(origin), sessions: this.sessions };
    stdin.write(`${JSON.stringify(config)}\n`);
  }

  tell(command: ClientCommand): void {
    this.child?.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child } = this;
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    if (this.isFrozen) child.kill('SIGCONT');
    await exited;
  }

  freeze(): void {
    if (this.child?.kill('SIGSTOP') !== true) return;
    this.isFrozen = true;
    this.happened('frozen');
  }

  thaw(): void {
    if (!this.isFrozen || this.child?.kill('SIGCONT') !== true) return;
    this.isFrozen = false;
    this.happened('thawed');
  }

  async restart(): Promise<void> {
    await this.kill('SIGKILL');
    this.start();
  }

  /** Ends it in order, for good; by force after `withinMs`. */
  async close(withinMs: number): Promise<void> {
    this.isClosed = true;
    const { child } = this;
    if (child === undefined) return;
    this.thaw();
    const exited = once(child, 'exit');
    this.tell({ do: 'close' });
    const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
    await exited;
    clearTimeout(timer);
  }

  private happened(what: 'started' | 'frozen' | 'thawed'): void {
    this.options.record({ kind: 'process', name: this.name, pid: this.pid, what });
  }

  private take(line: string): void {
    try {
      this.options.record(JSON.parse(line) as ChaosEvent);
    } catch {
      this.options.record({ kind: 'log', process: this.name, line }); // it was killed in the middle of a line
    }
  }
}
