import { Queue, Worker } from 'bullmq';
import type { Sid } from '../session-ref.js';
import type { WakeQueue } from '../wake-queue.js';
import type { BusLogger } from './connection/bus-logger.js';
import type { Keys } from './keys/keys.js';
import type { RedisCommands } from './connection/redis-commands.js';
import { openRedis } from './connection/open-redis.js';

const QUEUE = 'session-wake';
/** Nobody reads the events of the queue. */
const MAX_EVENTS = 100;
/** A session that was handed to a sweeper is not handed to another one for this long. */
const HANDED_OUT_MS = 2_000;
/** A wake whose runtime died in the middle of it is repeated after this time; until then the sweep stands in for it. */
const LOCK_MS = 5_000;

/** Wakes by BullMQ, and the sweep that finds what they miss. */
export function createRedisWakeQueue(commands: RedisCommands, keys: Keys, url: string, logger: BusLogger): WakeQueue {
  const connection = { connection: commands.redis, prefix: keys.queuePrefix, skipVersionCheck: true } as const;
  let queue: Queue | undefined;
  const closing: (() => Promise<void>)[] = [];

  const queueOf = (): Queue => {
    if (queue !== undefined) return queue;
    queue = new Queue(QUEUE, { ...connection, skipMetasUpdate: true, streams: { events: { maxLen: MAX_EVENTS } } });
    // Workers ask the queue's record how many events to keep, and without a word keep 10,000; each add finds out anew.
    const meta = `${keys.queuePrefix}:${QUEUE}:meta`;
    commands.run('bound-events', [['hset', meta, 'opts.maxLenEvents', MAX_EVENTS]]).catch(() => undefined); // away: kept at 10,000
    queue.on('error', (error) => logger.warn({ event: 'wake_queue.error', message: error.message }));
    return queue;
  };

  return {
    wake: async (sid) => {
      if (commands.status() === 'away') return;
      try {
        await queueOf().add(
          'wake',
          { sid },
          {
            deduplication: { id: sid, keepLastIfActive: true },
            removeOnComplete: true,
            removeOnFail: true,
          },
        );
      } catch (error) {
        logger.warn({ event: 'wake_queue.wake_failed', sid, message: String(error) }); // the sweep finds the session
      }
    },
    work: async (onWake, { concurrency }) => {
      const redis = openRedis(url, { purpose: 'wakes', waits: true });
      redis.on('error', () => undefined); // the connection for commands says so already
      const worker = new Worker<{ readonly sid: Sid }>(QUEUE, async ({ data }) => onWake(data.sid), {
        ...connection,
        connection: redis,
        concurrency,
        lockDuration: LOCK_MS,
        stalledInterval: LOCK_MS,
        runRetryDelay: 500,
      });
      worker.on('error', (error) => logger.warn({ event: 'wake_queue.error', message: error.message }));
      let closed: Promise<void> | undefined;
      const close = (): Promise<void> =>
        (closed ??= (async () => {
          const away = redis.status !== 'ready';
          await worker.close(away);
          redis.disconnect();
        })());
      closing.push(close);
      return { close };
    },
    due: async (limit) => {
      const share = Math.max(1, Math.ceil(limit / keys.everyDue.length));
      const found = (await commands.runEach(
        'due',
        keys.everyDue.map((shard) => ['takeDue', shard, share, HANDED_OUT_MS]),
      )) as Sid[][];
      return found.flat();
    },
    close: async () => {
      await Promise.all(closing.map((close) => close()));
      await queue?.close();
    },
  };
}
