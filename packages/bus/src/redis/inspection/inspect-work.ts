import type { InspectedWork } from '../../store-inspection.js';
import { SERVICE_REPORT_TTL_MS, type ServiceReport } from '../../service-reports.js';
import type { RedisLink } from '../connection/open-redis.js';
import type { Command } from '../connection/redis-commands.js';
import type { Keys } from '../keys/keys.js';
import { createRedisServiceReports } from '../redis-service-reports.js';
import { findStuck } from './find-stuck.js';
import type { Looking } from './looking.js';

/** What is stored and waits, and who reports. `clockMs` is how far Redis' clock is ahead of ours. */
export async function inspectWork(redis: RedisLink, keys: Keys, clockMs: number): Promise<InspectedWork> {
  const each = (commands: readonly Command[]): Promise<unknown[]> =>
    Promise.all(commands.map(([name, ...args]) => redis.call(name, ...args)));
  const looking: Looking = {
    run: (_, commands) => each(commands),
    runEach: (_, commands) => each(commands),
    score: () => Date.now() + clockMs,
  };
  const reports = createRedisServiceReports(looking, keys);
  const [services, queues, stuck, wakes, stored] = await Promise.all([
    readServices(looking, keys, await reports.read()),
    reports.readQueues(),
    findStuck(looking, keys),
    looking.runEach(
      'wakes',
      keys.everyWakes.map((prefix) => ['llen', `${prefix}:session-wake:wait`] as const),
    ),
    readStored(looking, keys),
  ]);
  return { services, queues, wakes: wakes.reduce<number>((sum, length) => sum + Number(length), 0), ...stuck, stored };
}

/** A report lives for so long from when it was stored, by Redis' clock: that says how the clock of its process goes. */
async function readServices(looking: Looking, keys: Keys, reports: readonly ServiceReport[]): Promise<InspectedWork['services']> {
  const left = (await looking.runEach(
    'report-ages',
    reports.map(({ replica }): Command => ['pttl', keys.serviceReport(replica)]),
  )) as number[];
  return reports.map(({ numbers: _numbers, histograms: _histograms, ...report }, at) => {
    const ttlMs = left[at] ?? -2;
    if (ttlMs < 0) return report;
    return { ...report, clockMs: Math.round(report.atMs - (looking.score() - (SERVICE_REPORT_TTL_MS - ttlMs))) };
  });
}

async function readStored(looking: Looking, { storedByTenant, storedByOwner }: Keys): Promise<InspectedWork['stored']> {
  const [fields, owners] = await looking.run('stored', [
    ['hgetall', storedByTenant],
    ['zrevrange', storedByOwner, 0, 0, 'WITHSCORES'],
  ]);
  const pairs = Array.isArray(fields) ? (fields as string[]) : Object.entries(fields as Record<string, string>).flat();
  const tenants = new Map(pairs.flatMap((name, at) => (at % 2 === 0 ? [[name, Number(pairs[at + 1])] as const] : [])));
  const totalBytes = tenants.get('sum') ?? 0;
  tenants.delete('sum');
  return { totalBytes, largestOwnerBytes: Number((owners as string[])[1] ?? 0), largestTenantBytes: Math.max(0, ...tenants.values()) };
}
