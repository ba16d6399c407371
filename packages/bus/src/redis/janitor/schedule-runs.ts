import { Queue, Worker } from 'bullmq';
import type { JanitorReport } from '../../janitor.js';
import type { BusLogger } from '../connection/bus-logger.js';
import { openRedis } from '../connection/open-redis.js';
import type { RedisCommands } from '../connection/redis-commands.js';
import type { Keys } from '../keys/keys.js';

const QUEUE = 'janitor';
/** Nobody reads the events of the queue. */
const MAX_EVENTS = 100;
/** The name of the schedule: there is one, whoever asks for it. */
const SCHEDULE = 'runs';
/**
 * A run whose process died, or whose end could not be stored, is repeated after the first of these times, once one of the looks finds it: nobody else
 * runs until then.
 */
const [LOCK_MS, STALLED_MS] = [10_000, 5_000];
/** A command that is not answered for so long is lost, and its connection with it: longer than a worker waits, which is ten seconds. */
const LOST_MS = 15_000;
/** How often it is looked whether Redis still has the schedule. */
const LOOK_MS = 5_000;
/** How far the next run may be ahead beyond two pauses, or overdue, by the store's clock. */
const [SOON_MS, OVERDUE_MS] = [5_000, 60_000];

/** What a schedule is made of. */
export interface ScheduleParts {
  readonly commands: RedisCommands;
  readonly keys: Keys;
  readonly url: string;
  readonly logger: BusLogger;
}

/** Runs by BullMQ: the schedule is in Redis, each run goes to one of the processes that take them, and the next waits for its end. */
export async function scheduleRuns(
  { commands, keys, url, logger }: ScheduleParts,
  { run, everyMs }: { readonly run: () => Promise<JanitorReport>; readonly everyMs: number },
  onRun: (report: JanitorReport, ms: number) => void,
): Promise<{ close(): Promise<void> }> {
  const common = { prefix: keys.queuePrefix, skipVersionCheck: true } as const;
  const queue = new Queue(QUEUE, {
    ...common,
    connection: commands.redis,
    skipMetasUpdate: true,
    streams: { events: { maxLen: MAX_EVENTS } },
  });
  const warn = (error: Error): void => logger.warn({ event: 'janitor.error', message: error.message });
  queue.on('error', warn);

  const keepSchedule = async (): Promise<void> => {
    if (commands.status() === 'away') return;
    const known = await queue.getJobScheduler(SCHEDULE);
    if (known !== undefined) {
      // BullMQ goes by the clock of whoever takes a run: of one that jumps a day ahead the next run would be tomorrow.
      const inMs = (known.next ?? 0) - commands.score();
      if (known.every === everyMs && inMs > -OVERDUE_MS && inMs < 2 * everyMs + SOON_MS) return;
      await queue.removeJobScheduler(SCHEDULE);
    }
    await commands.run('bound-events', [['hset', `${keys.queuePrefix}:${QUEUE}:meta`, 'opts.maxLenEvents', MAX_EVENTS]]);
    await queue.setGlobalConcurrency(1);
    await queue.upsertJobScheduler(SCHEDULE, { every: everyMs }, { name: 'run', opts: { removeOnComplete: true, removeOnFail: true } });
  };
  const look = (): void => void keepSchedule().catch((error: unknown) => warn(error as Error));
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  const unhear = commands.onChange(look);

  const redis = openRedis(url, { purpose: 'janitor', waits: true, commandTimeout: LOST_MS, socketTimeout: LOST_MS });
  redis.on('error', () => undefined); // the connection for commands says so already
  const worker = new Worker(
    QUEUE,
    async () => {
      const startedMs = performance.now();
      const report = await run();
      onRun(report, performance.now() - startedMs);
    },
    { ...common, connection: redis, concurrency: 1, lockDuration: LOCK_MS, stalledInterval: STALLED_MS, runRetryDelay: 500 },
  );
  worker.on('error', warn);
  worker.on('failed', (_, error) => warn(error));
  look();
  return {
    close: async () => {
      clearInterval(timer);
      unhear();
      await worker.close(redis.status !== 'ready');
      redis.disconnect();
      await queue.close();
    },
  };
}
