import type { BusLogger } from './bus-logger.js';
import type { Sid } from '../../session-ref.js';
import type { Keys } from '../keys/keys.js';
import { CHECK_STORE_MS } from '../limits.js';
import type { RedisLink } from './open-redis.js';
import { isReply, refusalText } from './redis-refusal.js';
import { NewestWrites, type KnownEntry, type KnownFrame } from './newest-writes.js';
import { StoreClock } from './store-clock.js';
import { readStoreLife, rewriteFile, type StoreLife } from './store-life.js';

/** Lives within a minute that no emptied store explains: somebody else writes the record, and means another store. */
const MAX_LIVES_A_MINUTE = 3;
const PROBE_TTL_MS = 10_000;
/** How often the append-only file is written anew for the word of a client. */
const REPAIR_MS = 60 * 60_000;
/** Lives that are remembered to have ended. */
const MAX_ENDED = 32;

/** What a store watch works with. */
export interface StoreWatchParts {
  readonly redis: RedisLink;
  readonly keys: Keys;
  readonly logger: BusLogger;
  /** The text of `mark-store`. */
  readonly markStore: string;
  /** Called when {@link StoreWatch.trouble} has changed. */
  readonly changed: () => void;
}

/**
 * What must be known of a store while a connection to it stands, and is looked at again every 2 s: the record of its life, its clock, and
 * whether it takes writes. Nothing of it is kept from one connection to the next but which lives have ended.
 */
export class StoreWatch {
  readonly clock = new StoreClock();
  /** Why no write is promised though the connection stands, for operators; undefined: writes are taken. */
  trouble: string | undefined;
  private life: StoreLife | undefined;
  /** The name of the life that was read last, whatever connection it was, and those before it: none of them may come back. */
  private lastName: string | undefined;
  private readonly ended = new Set<string>();
  /** When the life changed without a reason that is known. */
  private unexplained: number[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;
  private repairedAt: number | undefined;
  private readonly newest: NewestWrites;

  constructor(private readonly parts: StoreWatchParts) {
    this.newest = new NewestWrites(parts.keys);
  }

  /**
   * The store said that it holds this frame of a log. Each look sees whether it still does. What is heard between a connection and the first look
   * of the next is passed over: the store may be another by then, and what is known of the one before is still to be compared.
   */
  noteFrame(sid: Sid, frame: KnownFrame): void {
    if (this.timer !== undefined) this.newest.noteFrame(this.clock.now(), sid, frame);
  }

  /** The same of an entry of an inbox. */
  noteEntry(sid: Sid, entry: KnownEntry): void {
    if (this.timer !== undefined) this.newest.noteEntry(this.clock.now(), sid, entry);
  }

  /** The store lacks these, which it had said it holds. A loss that can't be told now is found by who knows of it next. */
  async tellLost(sid: Sid, frame: KnownFrame, entry: KnownEntry): Promise<void> {
    this.noteFrame(sid, frame);
    this.noteEntry(sid, entry);
    await this.readLife().catch(() => undefined);
  }

  /**
   * A client has what the log of its session lacks. If it says so rightly, nobody else knew: the file is repaired as it is where a loss is known. If
   * not, it can't have that done more than once an hour.
   */
  suspectLoss(sid: Sid): void {
    const { redis, logger } = this.parts;
    logger.warn({
      event: 'redis.writes_lost',
      cause: 'client',
      sid,
      message: 'a client has what its session lost: the session begins a new epoch',
    });
    if (this.repairedAt !== undefined && performance.now() - this.repairedAt < REPAIR_MS) return;
    this.repairedAt = performance.now();
    void rewriteFile(redis);
  }

  /** The first look at a new connection. Throws when the life can't be read or recorded: then no script may run. */
  async begin(): Promise<void> {
    this.life = undefined; // what was lost before the connection began is no news to it
    await this.look();
  }

  /** Looks again and again, until `end`. */
  keepLooking(): void {
    this.end();
    this.timer = setInterval(() => void this.lookAgain(), CHECK_STORE_MS);
    this.timer.unref();
  }

  end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Brings the record of the life up to date: at each look, and when a script found none. */
  async readLife(): Promise<void> {
    const { redis, keys, markStore, logger } = this.parts;
    const life = await readStoreLife(redis, keys, markStore, this.newest.evidence, [...this.ended]);
    const before = this.life;
    this.life = life;
    this.noteName(life.name);
    if (before === undefined || before.name === life.name) return;
    logger.error({ event: 'redis.writes_lost', cause: life.cause, message: 'the store lost writes: sessions in it begin a new epoch' });
    if (life.cause !== 'empty') this.unexplained.push(performance.now());
  }

  private noteName(name: string): void {
    if (this.lastName !== undefined && this.lastName !== name) this.ended.add(this.lastName);
    this.lastName = name;
    for (const oldest of this.ended) if (this.ended.size > MAX_ENDED) this.ended.delete(oldest);
  }

  private async look(): Promise<void> {
    await this.readLife();
    await this.clock.learn(() => this.parts.redis.time() as unknown as Promise<[string, string]>);
    this.report(this.disagreement() ?? (await this.refusal()));
  }

  private async lookAgain(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      await this.look();
    } catch (error) {
      // Without an answer the connection is about to end, and says so itself.
      if (isReply(error)) this.report(`the life of the store can't be recorded: ${refusalText(error)}`);
    } finally {
      this.isLooking = false;
    }
  }

  private disagreement(): string | undefined {
    this.unexplained = this.unexplained.filter((at) => performance.now() - at < 60_000);
    if (this.unexplained.length < MAX_LIVES_A_MINUTE) return undefined;
    const times = String(this.unexplained.length);
    return `services disagree on the life of the store: ${this.parts.keys.store} was replaced ${times} times within a minute`;
  }

  /** One write, or in a cluster one in each part of the due set. */
  private async refusal(): Promise<string | undefined> {
    const { redis, keys } = this.parts;
    const probes = redis.isCluster ? keys.probes : keys.probes.slice(0, 1);
    try {
      await Promise.all(probes.map((key) => redis.set(key, '', 'PX', PROBE_TTL_MS)));
      return undefined;
    } catch (error) {
      if (isReply(error)) return `Redis refuses writes: ${refusalText(error)}`;
      throw error;
    }
  }

  private report(trouble: string | undefined): void {
    if (trouble === this.trouble) return;
    this.trouble = trouble;
    if (trouble === undefined) this.parts.logger.info({ event: 'redis.writable' });
    else this.parts.logger.error({ event: 'redis.trouble', message: trouble });
    this.parts.changed();
  }
}
