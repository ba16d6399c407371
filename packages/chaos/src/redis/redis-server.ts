import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Recorder } from '../recording/recorder.js';
import { ChaosProcess, type LaunchLife, type ProcessKind } from '../system/chaos-process.js';

/** How long a server may take to start and load its data. */
const START_MS = 10_000;
/** How long a command of the run itself may take. */
const COMMAND_MS = 3_000;
/** How long a small append-only file may take to be written anew. */
const REWRITE_MS = 5_000;

/** A start forgets the limit of a fault, also where a sentinel had the configuration written while it held. */
const MEMORY = ['--maxmemory', '0', '--maxmemory-policy', 'noeviction'];

/** What a server is started with, beside where it is. */
export interface RedisServerOptions {
  readonly name: string;
  readonly folder: string;
  readonly kind?: ProcessKind;
  /** Default: nowhere but on its socket. */
  readonly port?: number;
  /** A configuration file of its own, such as a sentinel needs. */
  readonly configFile?: string;
  readonly settings?: readonly string[];
}

/** A real redis-server of a run, and the run's own way to it. */
export class RedisServer {
  readonly process: ChaosProcess;
  readonly socket: string;
  private admin: Redis | undefined;
  /** What it has no room in, and when that last changed, or listeners were cut. */
  private readonly lacking = new Set<'files' | 'memory'>();
  private lackedAt = -Infinity;
  /** When it was told to refuse writes for lack of memory, and said yes. */
  private fullAt: number | undefined;
  /** It may answer before a write is on its disk: who kills it then takes some of what it acknowledged. */
  private isRelaxed = false;
  private isTorn = false;
  /** It has said that it can't read its own file. */
  private isUnreadable = false;

  constructor(
    readonly options: RedisServerOptions,
    private readonly recorder: () => Pick<Recorder, 'record'>,
  ) {
    mkdirSync(options.folder, { recursive: true });
    this.socket = join(options.folder, 'redis.sock');
    this.process = new ChaosProcess(options.name, options.kind ?? 'redis', this.launch, recorder);
  }

  /** Sends a command by the run's own connection. Rejects within 3 s where the server doesn't answer. */
  async ask(...[name, ...words]: readonly [string, ...(string | number)[]]): Promise<unknown> {
    this.admin ??= this.connect();
    const { admin } = this;
    const answer = admin.call(name, ...words);
    answer.catch(() => undefined); // it may come after we gave up
    const gone = new AbortController();
    const late = delay(COMMAND_MS, undefined, { signal: gone.signal }).then(() => {
      throw new Error(`${this.options.name} did not answer ${name}`);
    });
    late.catch(() => undefined);
    try {
      return await Promise.race([answer, late]);
    } finally {
      gone.abort();
    }
  }

  /** Bytes of the append-only files. */
  aofBytes(): number {
    return this.aofFiles().reduce((sum, path) => sum + statSync(path).size, 0);
  }

  /** Takes so many bytes from the end of what was appended, as a machine that loses power may. */
  truncateAof(bytes: number): void {
    // While the file is written anew there are two: the one with the higher number is appended to.
    const path = this.aofFiles()
      .filter((name) => name.includes('.incr.'))
      .toSorted((one, other) => numberOf(one) - numberOf(other))
      .at(-1);
    if (path !== undefined) truncateSync(path, Math.max(0, statSync(path).size - bytes));
    this.isTorn = true;
  }

  /** Writes a torn file anew: Redis 7 keeps a transaction in it that was torn in the middle of a command, and runs it at the start after the next. */
  async mendAof(): Promise<void> {
    if (!this.isTorn) return;
    this.isTorn = false;
    await this.ask('BGREWRITEAOF').catch(() => undefined); // one is under way
    for (const deadline = performance.now() + REWRITE_MS; performance.now() < deadline; await delay(20)) {
      if (String(await this.ask('INFO', 'persistence')).includes('aof_rewrite_in_progress:0')) return;
    }
  }

  /** What Redis asks for where it doesn't start by a file that was torn: the rest behind the bad place is cut off. */
  private repairAof(): void {
    this.isUnreadable = false;
    const manifest = join(this.options.folder, 'appendonlydir', 'appendonly.aof.manifest');
    const { status, output } = spawnSync('redis-check-aof', ['--fix', manifest], { input: 'y\n', encoding: 'utf8' });
    this.recorder().record({
      kind: 'note',
      text: `${this.options.name}: redis-check-aof ended with ${String(status)}: ${(output ?? []).join('').slice(-300)}`,
    });
    this.recorder().record({ kind: 'store-lost', how: 'what stood behind a bad place in the append-only file is gone', since: 0 });
  }

  /** The largest file that the server may write to from now on, in bytes; undefined: any. As a full disk it says no in the middle of a write. */
  async limitFiles(bytes: number | undefined): Promise<void> {
    const { pid } = this.process;
    this.noteLack('files', bytes !== undefined);
    if (pid === 0) return;
    const child = spawn('prlimit', ['--pid', String(pid), `--fsize=${bytes === undefined ? 'unlimited' : String(bytes)}:unlimited`], {
      stdio: 'ignore',
    });
    await new Promise<void>((resolve) => {
      child.once('error', () => resolve());
      child.once('exit', () => resolve());
    });
  }

  /** How a write is brought to the disk from now on: with `always` before it is answered. */
  async sync(how: 'always' | 'everysec' | 'no'): Promise<void> {
    if (how !== 'always') this.isRelaxed = true; // also one that is down hears of it, once it is back
    await this.ask('CONFIG', 'SET', 'appendfsync', how);
    this.isRelaxed = how !== 'always';
  }

  /** The memory that it may use from now on, in bytes; undefined: any. With less than it uses it refuses writes. */
  async limitMemory(bytes: number | undefined): Promise<void> {
    this.noteLack('memory', bytes !== undefined);
    this.fullAt = undefined;
    await this.ask('CONFIG', 'SET', 'maxmemory', bytes ?? 0);
    if (bytes !== undefined) this.fullAt = performance.now();
  }

  /** For how long it has certainly refused writes for lack of memory, in milliseconds; 0 where it was started or frozen since: a start forgets the limit. */
  get fullMs(): number {
    const ms = this.fullAt === undefined ? 0 : performance.now() - this.fullAt;
    return this.process.state === 'up' && this.process.forMs >= ms ? ms : 0;
  }

  /** How long it has had room for every write, and was let listen to, in milliseconds; 0 while it lacks some. */
  get roomyMs(): number {
    return this.lacking.size > 0 ? 0 : performance.now() - this.lackedAt;
  }

  /** Cuts the connections that listen. */
  async dropSubscribers(): Promise<void> {
    this.lackedAt = performance.now();
    await this.ask('CLIENT', 'KILL', 'TYPE', 'pubsub').catch(() => undefined);
  }

  private noteLack(what: 'files' | 'memory', isLacking: boolean): void {
    if (this.lacking.has(what) === isLacking) return;
    this.lackedAt = performance.now();
    if (isLacking) this.lacking.add(what);
    else this.lacking.delete(what);
  }

  async close(): Promise<void> {
    this.admin?.disconnect();
    await this.process.close();
  }

  private connect(): Redis {
    const admin = new Redis({
      path: this.socket,
      retryStrategy: () => 20,
      maxRetriesPerRequest: null,
      disconnectTimeout: 50,
      maxLoadingRetryTime: 20,
    });
    admin.on('error', () => undefined);
    return admin;
  }

  private aofFiles(): readonly string[] {
    const folder = join(this.options.folder, 'appendonlydir');
    try {
      return readdirSync(folder)
        .filter((name) => name.endsWith('.aof'))
        .map((name) => join(folder, name));
    } catch {
      return []; // it has none yet
    }
  }

  private readonly launch: LaunchLife = () => {
    const { folder, port = 0, settings = [], configFile, kind } = this.options;
    if (this.isUnreadable) this.repairAof();
    const words = [
      ...(configFile === undefined ? [] : [configFile]),
      ...['--port', String(port), '--bind', '127.0.0.1', '--unixsocket', this.socket, '--dir', folder, '--loglevel', 'warning'],
      ...(kind === 'sentinel'
        ? ['--sentinel']
        : ['--save', '', '--aof-load-truncated', 'yes', '--enable-debug-command', 'yes', ...MEMORY, ...settings]),
    ];
    // The signal of a file that is too large is ignored: a write fails as it does on a full disk, and the server goes on or ends as it will.
    const child = spawn('/bin/sh', ['-c', 'trap "" XFSZ; exec redis-server "$@"', 'codelab-chaos', ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (text: Buffer) => (this.isUnreadable ||= text.includes('Bad file format')));
    child.once('exit', () => {
      if (this.isRelaxed) this.recorder().record({ kind: 'store-lost', how: 'it ended while it answered before it wrote', since: 0 });
    });
    const ended = once(child, 'exit').then(
      () => 'ended' as const,
      () => 'ended' as const,
    );
    const ready = (async () => {
      let isOver = false;
      void ended.then(() => (isOver = true));
      for (const deadline = performance.now() + START_MS; performance.now() < deadline; await delay(15)) {
        if (isOver) throw new Error(`${this.options.name} ended at its start`);
        if (await answersPing(this.socket)) return;
      }
      child.kill('SIGKILL'); // the next one works on the same files
      throw new Error(`${this.options.name} did not start within ${String(START_MS)} ms`);
    })();
    ready.catch(() => undefined);
    return { child, ready };
  };
}

/** Of a file named `….<number>.incr.aof`. */
const numberOf = (path: string): number => Number(/\.(\d+)\.incr\./.exec(path)?.[1] ?? 0);

async function answersPing(socket: string): Promise<boolean> {
  const timeouts = { disconnectTimeout: 10, commandTimeout: 1_000, maxLoadingRetryTime: 20 };
  const probe = new Redis({ path: socket, lazyConnect: true, retryStrategy: () => null, ...timeouts });
  probe.on('error', () => undefined);
  try {
    await probe.connect();
    return (await probe.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    probe.disconnect();
  }
}
