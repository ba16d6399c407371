import type { Cluster, Redis } from 'ioredis';
import { BusError } from '../bus-error.js';
import type { BusLogger } from './bus-logger.js';
import type { Keys } from './keys.js';
import { COMMAND_TIMEOUT_MS } from './limits.js';
import { loadScripts, type LuaScript } from './load-scripts.js';
import { openRedis, type RedisLink } from './open-redis.js';
import { readStoreLife } from './store-life.js';

export type BusStatus = 'ready' | 'away';

/** A command or a script by its name, and its arguments. */
export type Command = readonly [name: string, ...args: (string | number)[]];

/** Redis, for commands. */
export interface RedisCommandsOptions {
  readonly url: string;
  readonly keys: Keys;
  readonly logger: BusLogger;
}

type Reply = [Error | null, unknown];

/** What decides on the slot of a command's keys; '' for a command without keys, which goes with its neighbours. */
const hashTag = ([, key]: Command): string => /\{([^}]+)\}/.exec(String(key ?? ''))?.[1] ?? '';

const inRuns = (commands: readonly Command[]): Command[][] => {
  const runs: Command[][] = [];
  let tag = '';
  for (const command of commands) {
    const own = hashTag(command);
    const last = runs.at(-1);
    if (last === undefined || (own !== '' && tag !== '' && own !== tag)) runs.push([command]);
    else last.push(command);
    tag = own === '' ? tag : own;
  }
  return runs;
};

/**
 * The connection for commands. It comes back by itself, for ever; while it is away each command is refused at once. `ready` says that
 * scripts may run: the connection stands and the life of the store is known.
 */
export class RedisCommands {
  readonly redis: RedisLink;
  /** Round trips by the operation that caused them: a test pins what a hot path costs. */
  readonly roundTrips = new Map<string, number>();
  /** The token of the store's life; '' while away. */
  storeLife = '';
  /** Ours, not ioredis' own: each of its pipelines copies every script that it knows. */
  private readonly scripts: ReadonlyMap<string, LuaScript> = new Map(loadScripts().map((script) => [script.name, script]));
  private readonly listeners = new Set<(status: BusStatus) => void>();
  private clockOffsetMs = 0;
  private tick = 0;
  /** Counts connections: what one of them learned says nothing of the next. */
  private connection = 0;

  constructor(private readonly options: RedisCommandsOptions) {
    this.redis = openRedis(options.url, { purpose: 'commands', commandTimeout: COMMAND_TIMEOUT_MS, socketTimeout: 2 * COMMAND_TIMEOUT_MS });
    this.redis.on('error', (error: Error) => options.logger.warn({ event: 'redis.error', message: error.message }));
    this.redis.on('ready', () => void this.begin());
    this.redis.on('close', () => this.lose());
  }

  status(): BusStatus {
    return this.storeLife === '' ? 'away' : 'ready';
  }

  /** Hears each change of the status. Returns how to stop. */
  onStatus(listener: (status: BusStatus) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Runs commands in their order, in one round trip. In a cluster it takes one for each change of the slot. */
  async run(operation: string, commands: readonly Command[]): Promise<unknown[]> {
    if (!this.redis.isCluster) return this.send(operation, commands);
    const replies: unknown[] = [];
    for (const some of inRuns(commands)) replies.push(...(await this.send(operation, some)));
    return replies;
  }

  /** Runs commands of which none waits for another, in one round trip. In a cluster slots go side by side. */
  async runEach(operation: string, commands: readonly Command[]): Promise<unknown[]> {
    if (!this.redis.isCluster) return this.send(operation, commands);
    const bySlot = new Map<string, Command[]>();
    for (const command of commands) bySlot.set(hashTag(command), [...(bySlot.get(hashTag(command)) ?? []), command]);
    const answered = new Map<Command, unknown>();
    await Promise.all(
      [...bySlot.values()].map(async (some) => {
        const replies = await this.send(operation, some);
        some.forEach((command, index) => answered.set(command, replies[index]));
      }),
    );
    return commands.map((command) => answered.get(command));
  }

  /** Redis' clock in milliseconds, as far as we know it, with a fraction that makes each reading another one. */
  score(): number {
    this.tick = (this.tick + 1) % 4_096;
    return Date.now() + this.clockOffsetMs + this.tick / 4_096;
  }

  async close(): Promise<void> {
    this.listeners.clear();
    if (this.redis.status === 'ready') await this.redis.quit().catch(() => undefined); // closed meanwhile: that is what was asked
    this.redis.disconnect();
    this.storeLife = '';
  }

  private async send(operation: string, commands: readonly Command[]): Promise<unknown[]> {
    if (this.status() === 'away') throw new BusError(`${operation}: Redis is away`);
    this.roundTrips.set(operation, (this.roundTrips.get(operation) ?? 0) + 1);
    const replies = await this.exchange(operation, commands, 'evalsha');
    const unknown = replies.findIndex(([error]) => error?.message.startsWith('NOSCRIPT') === true);
    // The server lost its scripts since we loaded them. What stands behind one of them in a round trip reads, or may be done twice.
    if (unknown >= 0) replies.splice(unknown, replies.length, ...(await this.exchange(operation, commands.slice(unknown), 'eval')));
    return replies.map(([error, reply]) => {
      if (error !== null) throw new BusError(`${operation}: ${error.message}`, { cause: error });
      return reply;
    });
  }

  private async exchange(operation: string, commands: readonly Command[], how: 'evalsha' | 'eval'): Promise<Reply[]> {
    try {
      return (await this.redis.pipeline(commands.map((command) => this.toCall(command, how))).exec()) ?? [];
    } catch (cause) {
      throw new BusError(`${operation}: Redis did not answer`, { cause });
    }
  }

  private async teachScripts(): Promise<void> {
    const servers = this.redis.isCluster ? (this.redis as Cluster).nodes('master') : [this.redis as Redis];
    const load = [...this.scripts.values()].map(({ lua }) => ['script', 'LOAD', lua]);
    await Promise.all(servers.map((server) => server.pipeline(load).exec()));
  }

  private toCall([name, ...args]: Command, how: 'evalsha' | 'eval'): [string, ...(string | number)[]] {
    const script = this.scripts.get(name);
    return script === undefined ? [name, ...args] : [how, how === 'eval' ? script.lua : script.sha, script.numberOfKeys, ...args];
  }

  private async begin(): Promise<void> {
    const connection = ++this.connection;
    try {
      await this.teachScripts();
      const life = await readStoreLife(this.redis, this.options.keys, this.scripts.get('markStore')?.lua ?? '');
      const [seconds, micros] = (await this.redis.time()) as unknown as [string, string];
      this.clockOffsetMs = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000) - Date.now();
      if (connection !== this.connection) return;
      this.storeLife = life;
      this.options.logger.info({ event: 'redis.ready' });
      this.tell('ready');
    } catch (error) {
      this.options.logger.warn({ event: 'redis.handshake_failed', message: String(error) });
      if (connection === this.connection) this.redis.disconnect(true);
    }
  }

  private lose(): void {
    this.connection += 1;
    if (this.storeLife === '') return;
    this.storeLife = '';
    this.options.logger.warn({ event: 'redis.away' });
    this.tell('away');
  }

  private tell(status: BusStatus): void {
    for (const listener of this.listeners) listener(status);
  }
}
