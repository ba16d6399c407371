import { SERVICE_REPORT_TTL_MS, type QueueDepth, type ServiceReport, type ServiceReports } from '../service-reports.js';
import type { Command, RedisCommands } from './connection/redis-commands.js';
import type { Keys } from './keys/keys.js';

/** Processes whose word is read. */
const MAX_REPLICAS = 200;

/** Reports in Redis: a text for each process, and a list of who has said something, by the time until which it counts by Redis' clock. */
export function createRedisServiceReports(commands: Pick<RedisCommands, 'run' | 'runEach' | 'score'>, keys: Keys): ServiceReports {
  return {
    publish: async (report) => {
      await commands.run('publish-report', [
        ['zremrangebyscore', keys.serviceReports, '-inf', Math.floor(commands.score())],
        ['set', keys.serviceReport(report.replica), JSON.stringify(report), 'PX', SERVICE_REPORT_TTL_MS],
        ['zadd', keys.serviceReports, Math.ceil(commands.score()) + SERVICE_REPORT_TTL_MS, report.replica],
        ['pexpire', keys.serviceReports, SERVICE_REPORT_TTL_MS],
      ]);
    },
    withdraw: async (replica) => {
      await commands.run('withdraw-report', [
        ['zrem', keys.serviceReports, replica],
        ['del', keys.serviceReport(replica)],
      ]);
    },
    read: async () => {
      const now = Math.floor(commands.score()); // those that are over stay: a store that refuses writes is looked at, too
      const [replicas] = await commands.run('read-reports', [
        ['zrangebyscore', keys.serviceReports, `(${now}`, '+inf', 'LIMIT', 0, MAX_REPLICAS],
      ]);
      const names = replicas as string[];
      if (names.length === 0) return [];
      const [texts] = await commands.run('read-reports', [['mget', ...names.map((name) => keys.serviceReport(name))]]);
      return (texts as (string | null)[])
        .flatMap((text) => (text === null ? [] : [JSON.parse(text) as ServiceReport]))
        .sort((one, other) => one.service.localeCompare(other.service) || one.startedAtMs - other.startedAtMs);
    },
    readQueues: async () => [...(await readDue(commands, keys)), ...(await readModels(commands, keys))],
  };
}

async function readDue(commands: Pick<RedisCommands, 'runEach' | 'score'>, { everyDue }: Keys): Promise<readonly QueueDepth[]> {
  const now = Math.floor(commands.score());
  const replies = await commands.runEach(
    'read-queues',
    everyDue.flatMap((due): Command[] => [
      ['zcard', due],
      ['zcount', due, '-inf', now],
      ['zrange', due, 0, 0, 'WITHSCORES'],
    ]),
  );
  return everyDue.flatMap((_, shard) => {
    const [depth, waiting, oldest] = replies.slice(shard * 3) as [number, number, string[]];
    if (depth === 0) return [];
    return [{ queue: 'sessions', shard, depth, waiting, lagMs: Math.max(0, now - Number(oldest[1] ?? now)) }];
  });
}

async function readModels(commands: Pick<RedisCommands, 'runEach' | 'score'>, { everyModels }: Keys): Promise<readonly QueueDepth[]> {
  const now = Math.floor(commands.score());
  const lengths = (await commands.runEach(
    'read-queues',
    everyModels.map((stream): Command => ['xlen', stream]),
  )) as number[];
  const filled = everyModels.map((stream, shard) => ({ stream, shard, depth: lengths[shard] ?? 0 })).filter(({ depth }) => depth > 0);
  const groups = await commands.runEach(
    'read-queues',
    filled.map(({ stream }): Command => ['xinfo', 'GROUPS', stream]),
  );
  const waiting = await commands.runEach(
    'read-queues',
    filled.map(({ stream }, at): Command => ['xrange', stream, `(${lastGiven(groups[at])}`, '+', 'COUNT', MAX_WAITING]),
  );
  return filled.map(({ shard, depth }, at) => {
    const entries = waiting[at] as [string, string[]][];
    const oldest = entries[0] === undefined ? now : Number(entries[0][0].split('-')[0]);
    return { queue: 'models', shard, depth, waiting: entries.length, lagMs: Math.max(0, now - oldest) };
  });
}

/** Waiting requests of a shard that are counted. */
const MAX_WAITING = 1_000;

/** The last entry of a stream that its group was given; the beginning, where there is none. */
const lastGiven = (groups: unknown): string => {
  const [group] = groups as (string | number)[][];
  const at = group?.indexOf('last-delivered-id') ?? -1;
  return at < 0 ? '0-0' : String(group![at + 1]);
};
