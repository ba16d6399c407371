import type { Cluster, Redis } from 'ioredis';
import type { Sid } from '../../session-ref.js';
import { BusError } from '../../bus-error.js';
import type { BusLogger } from './bus-logger.js';
import type { Keys } from '../keys/keys.js';
import { COMMAND_TIMEOUT_MS } from '../limits.js';
import { loadScripts, type LuaScript } from '../load-scripts.js';
import type { KnownEntry, KnownFrame } from './newest-writes.js';
import { openRedis, type RedisLink } from './open-redis.js';
import { isReply, refusalText } from './redis-refusal.js';
import { sendCommands, type Call, type Reply } from './send-commands.js';
import { lifePlace } from './store-life.js';
import { StoreWatch } from './store-watch.js';

export type BusStatus = 'ready' | 'away';

/** A command or a script by its name, and its arguments. */
export type Command = Call;

/** Redis, for commands. */
export interface RedisCommandsOptions {
  readonly url: string;
  readonly keys: Keys;
  readonly logger: BusLogger;
}

type Way = 'evalsha' | 'eval';

/** The server lost its scripts since we loaded them, or the record of its life; or the session that a script works on is put away. */
const REPAIRABLE = /^(NOSCRIPT|STORELIFE|FROZEN)/;
/** Which session that is. */
const FROZEN = /^FROZEN \S*\{([a-z2-7]{26})\}/;

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
  /** What scripts take to find the life of the store. */
  readonly lifePlace: string;
  /** Ours, not ioredis' own: each of its pipelines copies every script that it knows. */
  private readonly scripts: ReadonlyMap<string, LuaScript> = new Map(loadScripts().map((script) => [script.name, script]));
  /** Brings back a session that rests. Set once, by who makes them rest. */
  thaw: (sid: Sid) => Promise<void> = () => Promise.resolve();
  private readonly listeners = new Set<() => void>();
  private readonly watch: StoreWatch;
  private present: BusStatus = 'away';
  /** Why the connection could not begin, in Redis' words. */
  private refusal: string | undefined;
  /** Counts connections: what one of them learned says nothing of the next. */
  private connection = 0;

  constructor(private readonly options: RedisCommandsOptions) {
    this.redis = openRedis(options.url, { purpose: 'commands', commandTimeout: COMMAND_TIMEOUT_MS, socketTimeout: 2 * COMMAND_TIMEOUT_MS });
    this.lifePlace = lifePlace(this.redis, options.keys);
    const markStore = this.scripts.get('markStore')?.lua ?? '';
    this.watch = new StoreWatch({ redis: this.redis, keys: options.keys, logger: options.logger, markStore, changed: () => this.tell() });
    this.redis.on('error', (error: Error) => {
      this.refusal = isReply(error) ? refusalText(error) : undefined;
      options.logger.warn({ event: 'redis.error', message: error.message });
    });
    this.redis.on('ready', () => void this.begin());
    this.redis.on('close', () => this.lose());
  }

  status(): BusStatus {
    return this.present;
  }

  /** Why writes are refused, or why it is away where Redis said so; undefined when nothing is known to be wrong. */
  trouble(): string | undefined {
    if (this.present === 'ready') return this.watch.trouble;
    if (this.refusal === undefined && this.redis.status === 'connect') return 'Redis is there, but not ready yet: LOADING its data';
    return this.refusal;
  }

  /** Hears each change of the status and of the trouble. Returns how to stop. */
  onChange(listener: () => void): () => void {
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

  /** The store said that it holds this frame of a log: where it does no more, its sessions begin anew. */
  noteFrame(sid: Sid, frame: KnownFrame): void {
    this.watch.noteFrame(sid, frame);
  }

  /** The same of an entry of an inbox. */
  noteEntry(sid: Sid, entry: KnownEntry): void {
    this.watch.noteEntry(sid, entry);
  }

  /** A writer found that the store holds these no more: the life of the store ends, before something newer is compared in their place. */
  tellLost(sid: Sid, frame: KnownFrame, entry: KnownEntry): Promise<void> {
    return this.watch.tellLost(sid, frame, entry);
  }

  /** A client that joined has a frame which the log of its session lacks: operators are told. */
  suspectLoss(sid: Sid): void {
    this.watch.suspectLoss(sid);
  }

  /** Redis' clock in milliseconds, as far as we know it, with a fraction that makes each reading another one. */
  score(): number {
    return this.watch.clock.now();
  }

  async close(): Promise<void> {
    this.listeners.clear();
    this.connection += 1;
    this.watch.end();
    if (this.redis.status === 'ready') await this.redis.quit().catch(() => undefined); // closed meanwhile: that is what was asked
    this.redis.disconnect();
    this.present = 'away';
  }

  private async send(operation: string, commands: readonly Command[]): Promise<unknown[]> {
    if (this.status() === 'away') throw new BusError(`${operation}: Redis is away`);
    this.roundTrips.set(operation, (this.roundTrips.get(operation) ?? 0) + 1);
    const replies = [...(await this.exchange(operation, commands, 'evalsha'))];
    // Each may come once, and one out of the repair of another. A script that has run does not run again; what else stands behind the one
    // that was refused reads, or may be done twice.
    for (let repairs = 0, how: Way = 'evalsha'; repairs < 3; repairs += 1) {
      const isRefused = ([error]: Reply): boolean => REPAIRABLE.test(error?.message ?? '');
      const refused = replies.findIndex(isRefused);
      if (refused < 0) break;
      const message = replies[refused]?.[0]?.message ?? '';
      const [, frozen] = FROZEN.exec(message) ?? [];
      if (frozen !== undefined) await this.thaw(frozen as Sid);
      else if (message.startsWith('NOSCRIPT')) how = 'eval';
      else await this.repairLife(operation);
      const again = [...commands.keys()].filter(
        (place) => place >= refused && (isRefused(replies[place]!) || !this.scripts.has(commands[place]![0])),
      );
      const better = await this.exchange(
        operation,
        again.map((place) => commands[place]!),
        how,
      );
      again.forEach((place, index) => (replies[place] = better[index]!));
    }
    return replies.map(([error, reply]) => {
      if (error !== null) throw new BusError(`${operation}: ${error.message}`, { cause: error });
      return reply;
    });
  }

  private async exchange(operation: string, commands: readonly Command[], how: Way): Promise<readonly Reply[]> {
    try {
      return await sendCommands(
        this.redis,
        commands.map((command) => this.toCall(command, how)),
      );
    } catch (cause) {
      throw new BusError(`${operation}: Redis did not answer`, { cause });
    }
  }

  private async repairLife(operation: string): Promise<void> {
    try {
      await this.watch.readLife();
    } catch (cause) {
      throw new BusError(`${operation}: the life of the store could not be recorded`, { cause });
    }
  }

  private async teachScripts(): Promise<void> {
    const servers = this.redis.isCluster ? (this.redis as Cluster).nodes('master') : [this.redis as Redis];
    const load = [...this.scripts.values()].map(({ lua }): Call => ['script', 'LOAD', lua]);
    await Promise.all(servers.map((server) => sendCommands(server, load))); // one that was refused is taught when it is called
  }

  private toCall(command: Command, how: Way): Call {
    const script = this.scripts.get(command[0]);
    return script === undefined ? command : [how, how === 'eval' ? script.lua : script.sha, script.numberOfKeys, ...command.slice(1)];
  }

  private async begin(): Promise<void> {
    const connection = ++this.connection;
    try {
      await this.teachScripts();
      await this.watch.begin();
      if (connection !== this.connection) return;
      this.refusal = undefined;
      this.present = 'ready';
      this.watch.keepLooking();
      this.options.logger.info({ event: 'redis.ready' });
      this.tell();
    } catch (error) {
      if (isReply(error)) this.refusal = refusalText(error);
      this.options.logger.warn({ event: 'redis.handshake_failed', message: String(error) });
      if (connection === this.connection) this.redis.disconnect(true);
    }
  }

  private lose(): void {
    this.connection += 1;
    this.watch.end();
    if (this.present === 'away') return;
    this.present = 'away';
    this.options.logger.warn({ event: 'redis.away' });
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
