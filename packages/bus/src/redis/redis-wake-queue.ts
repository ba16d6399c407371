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
/** A worker that waits looks this often all the same, in seconds: the mark of a new wake may have gone to one that was just closing. */
const LOOK_S = 1;
/** A command that is not answered for so long is lost, and its connection with it: longer than a worker ever waits. */
const LOST_MS = 5_000;
/** A wake whose runtime died in the middle of it is repeated after this time; until then the sweep stands in for it. */
const LOCK_MS = 5_000;

/**
 * After an error BullMQ waits ten seconds at once for the next mark, and without one looks at nothing. A command is lost before: each wait would end in the next error, and what
 * was given up, sent again when the connection is back, would take the marks that come.
 */
class WakeWorker extends Worker<{ readonly sid: Sid }> {
  override get maximumBlockTimeout(): number {
    return LOOK_S;
  }
}

/** Wakes by BullMQ, and the sweep that finds what they miss. In a cluster there are several queues, each in a slot of its own. */
export function createRedisWakeQueue(commands: RedisCommands, keys: Keys, url: string, logger: BusLogger): WakeQueue {
  const common = { connection: commands.redis, skipVersionCheck: true } as const;
  const queues = new Map<string, Queue>();
  const closing: (() => Promise<void>)[] = [];

  const queueOf = (prefix: string): Queue => {
    const known = queues.get(prefix);
    if (known !== undefined) return known;
    const queue = new Queue(QUEUE, { ...common, prefix, skipMetasUpdate: true, streams: { events: { maxLen: MAX_EVENTS } } });
    // Workers ask the queue's record how many events to keep, and without a word keep 10,000; each add finds out anew.
    const meta = `${prefix}:${QUEUE}:meta`;
    commands.run('bound-events', [['hset', meta, 'opts.maxLenEvents', MAX_EVENTS]]).catch(() => undefined); // away: kept at 10,000
    queue.on('error', (error) => logger.warn({ event: 'wake_queue.error', message: error.message }));
    queues.set(prefix, queue);
    return queue;
  };

  const workAt = (prefix: string, onWake: (sid: Sid) => Promise<void>, concurrency: number): (() => Promise<void>) => {
    // A command whose answer never comes would hold up the worker for ever.
    const redis = openRedis(url, { purpose: 'wakes', waits: true, commandTimeout: LOST_MS, socketTimeout: LOST_MS });
    redis.on('error', () => undefined); // the connection for commands says so already
    const worker = new WakeWorker(QUEUE, async ({ data }) => onWake(data.sid), {
      ...common,
      ...{
        prefix,
        connection: redis,
        concurrency,
        lockDuration: LOCK_MS,
        stalledInterval: LOCK_MS,
        runRetryDelay: 500,
        drainDelay: LOOK_S,
      },
    });
    worker.on('error', (error) => logger.warn({ event: 'wake_queue.error', message: error.message }));
    return async () => {
      const isAway = redis.status !== 'ready';
      // Lost while it closes: what it waits for can't come, and it would try for ten seconds and more.
      const lost = new Promise<void>((resolve) => void redis.once('close', () => resolve()));
      await Promise.race([worker.close(isAway), lost]);
      redis.disconnect();
    };
  };

  return {
    wake: async (sid) => {
      if (commands.status() === 'away') return;
      try {
        await queueOf(keys.wakes(sid)).add(
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
      const ends = keys.everyWakes.map((prefix) => workAt(prefix, onWake, Math.ceil(concurrency / keys.everyWakes.length)));
      let closed: Promise<void> | undefined;
      const close = (): Promise<void> => (closed ??= Promise.all(ends.map((end) => end())).then(() => undefined));
      closing.push(close);
      return { close };
    },
    due: async (limit) => {
      const share = Math.max(1, Math.ceil(limit / keys.everyDue.length));
      const take = async (shards: readonly string[]): Promise<Sid[]> => {
        const found = await commands.runEach(
          'due',
          shards.map((shard) => ['takeDue', shard, share, HANDED_OUT_MS]),
        );
        return (found as Sid[][]).flat();
      };
      if (!commands.redis.isCluster) return take(keys.everyDue);
      // Each by itself: the node of one may be away, and what another has handed out is not handed out again for a while.
      const taken = await Promise.allSettled(keys.everyDue.map((shard) => take([shard])));
      const found = taken.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
      const away = taken.find((one) => one.status === 'rejected');
      if (found.length === 0 && away !== undefined) throw away.reason;
      return found;
    },
    close: async () => {
      await Promise.all(closing.map((close) => close()));
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}
