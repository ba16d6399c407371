import type { Finding } from '../../core/doctor/findings.js';
import { judgeRedis, judgeStored } from '../../core/doctor/judge-redis.js';
import { toRedisAddress } from '../../core/stack/redis-address.js';
import type { RespValue } from '../../core/stack/resp.js';
import { askRedis } from '../stack/ask-redis.js';

/** What services add up: bytes of all sessions, and the person who stores most. */
const STORED = [
  ['HGET', 'cl:{stored}:tenants', 'sum'],
  ['ZREVRANGE', 'cl:{stored}:owners', '0', '0', 'WITHSCORES'],
];

/** Whether the Redis at `url` answers, and what it promises. Its password is not shown. */
export async function inspectRedis(url: string, ownerQuota: number): Promise<readonly Finding[]> {
  const subject = 'Redis';
  const address = toRedisAddress(url);
  if (!address) return [{ state: 'note', subject, found: 'REDIS_URL names several servers: not looked at' }];
  const commands = [['INFO'], ['CONFIG', 'GET', 'appendonly'], ['CONFIG', 'GET', 'appendfsync'], ...STORED];
  try {
    const [info, appendonly, appendfsync, total, largest] = await askRedis(address, commands);
    if (info instanceof Error) throw info;
    const said = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(typeof info === 'string' ? info : '')?.[1];
    const facts = { version: said('redis_version'), appendonly: configured(appendonly), appendfsync: configured(appendfsync) };
    return [
      { state: 'right', subject, found: `answers on ${address.shown}` },
      ...judgeRedis({ ...facts, maxmemoryPolicy: said('maxmemory_policy') }),
      judgeStored({
        total: bytes(total),
        largestOwner: bytes(Array.isArray(largest) ? (largest as readonly RespValue[])[1] : undefined),
        ownerQuota,
      }),
    ];
  } catch (error) {
    const remedy = 'start it, correct REDIS_URL, or unset it to have a private one started';
    return [{ state: 'wrong', subject, found: `no answer from ${address.shown} (${(error as Error).message})`, remedy }];
  }
}

/** A sum that isn't there is that of nothing. */
const bytes = (answer: RespValue | undefined): number => (typeof answer === 'string' ? Number(answer) : 0);

/** `CONFIG GET` answers name and value, or an error where it is forbidden. */
function configured(answer: RespValue | undefined): string | undefined {
  const value: unknown = Array.isArray(answer) ? answer[1] : undefined;
  return typeof value === 'string' ? value : undefined;
}
