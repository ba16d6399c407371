import type { BusLogger } from '../connection/bus-logger.js';
import { openRedis, type RedisLink } from '../connection/open-redis.js';
import { reconnectDelay } from '../connection/reconnect-delay.js';
import type { RedisCommands } from '../connection/redis-commands.js';
import { GROUP, type RawEntry } from './entry.js';

/** How long one blocking read waits. */
const BLOCK_MS = 2_000;
/** An answer that takes so long is given up; what it brings is looked for by the next connection. */
const LATE_MS = 2 * BLOCK_MS;
/** A timer may end a little before its time. */
const EARLY_MS = 50;

/** What a reader is made of. */
export interface StreamReaderParts {
  readonly url: string;
  readonly logger: BusLogger;
  readonly commands: RedisCommands;
  /** Names this process in the group. */
  readonly consumer: string;
  readonly stream: string;
  /** How many entries may come; nothing is read where it is 0. */
  readonly room: () => number;
  /** Never rejects. */
  readonly take: (entry: RawEntry) => Promise<void>;
  /** The connection stands, for the first time or again. */
  readonly onReady: () => void;
}

/** Reads what is new in a stream of model requests, by a connection of its own that waits for it, until it is closed. */
export class StreamReader {
  private readonly redis: RedisLink;
  private readonly loop: Promise<void>;
  private connectionId: Promise<number> = Promise.resolve(0);
  /** Ends a wait for room or for the connection. */
  private goOn: (() => void) | undefined;
  private closing = false;

  constructor(private readonly parts: StreamReaderParts) {
    this.redis = openRedis(parts.url, {
      ...{ purpose: 'models', blockingTimeout: LATE_MS, blockingTimeoutGrace: LATE_MS - BLOCK_MS, socketTimeout: 2 * LATE_MS },
    });
    this.redis.on('error', () => undefined); // the connection for commands says so already
    this.redis.on('ready', () => {
      this.connectionId = this.redis.client('ID').catch(() => 0); // lost again: the next connection has another
      parts.onReady();
    });
    this.loop = this.read();
  }

  /** There is room again, or nothing to wait for any more. */
  poke(): void {
    this.goOn?.();
  }

  /** Ends a read that waits, instead of cutting it: Redis may have given an entry to it in this moment. */
  async close(): Promise<void> {
    this.closing = true;
    this.poke();
    if (this.redis.status === 'ready' && !this.redis.isCluster) {
      await this.parts.commands.run('stop-reading', [['client', 'UNBLOCK', await this.connectionId]]).catch(() => this.redis.disconnect());
    } else {
      this.redis.disconnect();
    }
    await this.loop;
    this.redis.disconnect();
  }

  private async read(): Promise<void> {
    while (!this.closing) {
      try {
        if (this.redis.status !== 'ready') await this.connected();
        else if (this.parts.room() <= 0) await new Promise<void>((resolve) => (this.goOn = resolve));
        else await this.readOnce();
      } catch (error) {
        if (!this.closing) await this.recover(error);
      }
    }
  }

  private connected(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.redis.off('ready', done);
        resolve();
      };
      this.redis.once('ready', done);
      this.goOn = done; // one that is told to end between two connections says nothing more
    });
  }

  private async readOnce(): Promise<void> {
    const { stream, consumer, room, take } = this.parts;
    const began = performance.now();
    const reply = (await this.redis.xreadgroup(
      ...(['GROUP', GROUP, consumer, 'COUNT', room(), 'BLOCK', BLOCK_MS, 'STREAMS', stream, '>'] as const),
    )) as [string, RawEntry[]][] | null;
    if (reply === null && performance.now() - began > LATE_MS - EARLY_MS && !this.closing) this.redis.disconnect(true);
    await Promise.all((reply?.[0]?.[1] ?? []).map(take));
  }

  /** The group is not there yet, or Redis lost it, or it is away. */
  private async recover(error: unknown): Promise<void> {
    if (!String(error).includes('NOGROUP')) {
      if (this.redis.status === 'ready') this.parts.logger.warn({ event: 'model_queue.read_failed', message: String(error) });
      await new Promise((resolve) => setTimeout(resolve, reconnectDelay(1)));
      return;
    }
    await this.redis.xgroup('CREATE', this.parts.stream, GROUP, '0', 'MKSTREAM').catch(() => undefined); // another consumer was faster
  }
}
