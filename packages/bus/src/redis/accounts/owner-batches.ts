import { newId } from '../../new-id.js';
import type { Owner } from '../../session-ref.js';
import type { BusLogger } from '../connection/bus-logger.js';
import type { Command, RedisCommands } from '../connection/redis-commands.js';

/** Items that wait in all; more are dropped, and the log says so. Redis is away for long, then. */
const MAX_WAITING = 50_000;
/** Owners whose batches go in one round trip. */
const MAX_OWNERS_AT_ONCE = 100;

/** Some items of one owner under way. It keeps its number until Redis has answered, so that it counts once however often it is sent. */
export interface Batch<Item> {
  readonly owner: Owner;
  readonly writer: string;
  readonly number: number;
  readonly items: readonly Item[];
}

export interface OwnerBatchesOptions<Item> {
  readonly commands: RedisCommands;
  readonly logger: BusLogger;
  /** For the counter of round trips, and for the log. */
  readonly operation: string;
  /** How long an item waits at most. */
  readonly everyMs: number;
  /** Items of a batch. */
  readonly maxItems: number;
  readonly toCommand: (batch: Batch<Item>) => Command;
  /** Items of different groups are never in one batch. */
  readonly groupOf?: (item: Item) => string;
  /** Items of the same key that wait together become one; `undefined`: this one stays as it is. */
  readonly keyOf?: (item: Item) => string | undefined;
  readonly merge?: (one: Item, other: Item) => Item;
}

interface Lane<Item> {
  readonly owner: Owner;
  readonly waiting: { item: Item; readonly number: number }[];
  /** Places in `waiting` by key. */
  readonly places: Map<string, number>;
  batch?: Batch<Item>;
  /** The number of the oldest item that is not stored. */
  oldest: number;
}

/**
 * Takes items of owners and stores them in numbered batches, those of one owner in their order, without keeping anybody waiting. What fails is
 * sent again until Redis takes it.
 */
export class OwnerBatches<Item> {
  private readonly lanes = new Map<string, Lane<Item>>();
  private readonly writer = newId('worker');
  private batches = 0;
  private added = 0;
  private waiting = 0;
  private dropped = 0;
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;
  private closed = false;

  constructor(private readonly options: OwnerBatchesOptions<Item>) {}

  /** @param soon it is stored at once, without waiting for others */
  add(owner: Owner, item: Item, soon = false): void {
    if (this.closed || this.waiting >= MAX_WAITING) return this.drop();
    this.put(this.laneOf(owner), item);
    if (soon) void this.flush().catch(() => undefined); // said below, and tried again
    else this.wake();
  }

  /** Stores everything that was added until now. Throws `BusError`. */
  async flush(): Promise<void> {
    const until = this.added;
    while ([...this.lanes.values()].some(({ oldest }) => oldest <= until)) {
      await (this.sending ??= this.sendSome().finally(() => (this.sending = undefined)));
    }
  }

  /** Stores what waits, once more, and gives up then: what is lost is logged. */
  async close(): Promise<void> {
    this.closed = true;
    try {
      await this.flush();
    } catch (error) {
      const { operation, logger } = this.options;
      logger.warn({ event: `${operation}.lost`, items: this.waiting, message: String(error) });
    }
    clearTimeout(this.timer);
    this.lanes.clear();
  }

  private laneOf(owner: Owner): Lane<Item> {
    const name = `${owner.tenant}\0${owner.sub}`;
    const known = this.lanes.get(name);
    if (known !== undefined) return known;
    const lane: Lane<Item> = { owner, waiting: [], places: new Map(), oldest: this.added + 1 };
    this.lanes.set(name, lane);
    return lane;
  }

  private put({ waiting, places }: Lane<Item>, item: Item): void {
    const { keyOf, merge } = this.options;
    const key = keyOf?.(item);
    const place = key === undefined ? undefined : places.get(key);
    const same = place === undefined ? undefined : waiting[place];
    if (same !== undefined && merge !== undefined) {
      same.item = merge(same.item, item);
      return;
    }
    if (key !== undefined) places.set(key, waiting.length);
    this.added += 1;
    this.waiting += 1;
    waiting.push({ item, number: this.added });
  }

  private wake(): void {
    if (this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.flush().catch(() => undefined); // said below, and tried again
    }, this.options.everyMs);
    this.timer.unref();
  }

  private async sendSome(): Promise<void> {
    const { commands, logger, operation, toCommand } = this.options;
    const lanes = [...this.lanes].slice(0, MAX_OWNERS_AT_ONCE);
    const batches = lanes.map(([, lane]) => (lane.batch ??= this.nextBatch(lane)));
    try {
      await commands.runEach(operation, batches.map(toCommand));
    } catch (error) {
      if (commands.status() === 'ready') logger.warn({ event: `${operation}.failed`, message: String(error) });
      if (!this.closed) this.wake();
      throw error;
    }
    for (const [name, lane] of lanes) this.stored(name, lane);
  }

  private nextBatch({ owner, waiting, places }: Lane<Item>): Batch<Item> {
    const { maxItems, groupOf = () => '' } = this.options;
    const group = waiting[0] && groupOf(waiting[0].item);
    const end = waiting.findIndex(({ item }, index) => index >= maxItems || groupOf(item) !== group);
    this.batches += 1;
    places.clear();
    const items = waiting.splice(0, end < 0 ? waiting.length : end).map(({ item }) => item);
    return { owner, writer: this.writer, number: this.batches, items };
  }

  /** The batch of a lane is stored; what is left waits behind the others. */
  private stored(name: string, lane: Lane<Item>): void {
    this.waiting -= lane.batch?.items.length ?? 0;
    delete lane.batch;
    this.lanes.delete(name);
    const [next] = lane.waiting;
    if (next === undefined) return;
    lane.oldest = next.number;
    this.lanes.set(name, lane);
  }

  private drop(): void {
    this.dropped += 1;
    const { operation, logger } = this.options;
    if (Math.log2(this.dropped) % 1 === 0) logger.warn({ event: `${operation}.dropped`, items: this.dropped });
  }
}
