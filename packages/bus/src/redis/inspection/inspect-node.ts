import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { InspectedNode } from '../../store-inspection.js';

/** For how long a server is watched, to see how busy it is. */
const BUSY_MS = 1_000;

/** What one server says of itself, within little more than a second. Questions that it forbids stay open. */
export async function inspectNode(redis: Redis, address: string): Promise<InspectedNode> {
  const startedMs = performance.now();
  const [seconds, micros] = (await redis.time()) as unknown as [string, string];
  const roundTripMs = performance.now() - startedMs;
  const clockMs = Math.round(Number(seconds) * 1_000 + Number(micros) / 1_000 - (Date.now() - roundTripMs / 2));
  const [info, appendonly, appendfsync, busyShare] = await Promise.all([
    redis.info().catch(() => ''),
    readSetting(redis, 'appendonly'),
    readSetting(redis, 'appendfsync'),
    readBusyShare(redis),
  ]);
  const said = (name: string): string | undefined => find(info, name);
  const number = (name: string): number | undefined => (said(name) === undefined ? undefined : Number(said(name)));
  return {
    address,
    ...{ role: said('role'), version: said('redis_version'), appendonly, appendfsync, maxmemoryPolicy: said('maxmemory_policy') },
    ...{ usedBytes: number('used_memory'), maxBytes: number('maxmemory'), evictedKeys: number('evicted_keys') },
    ...{ appendStatus: said('aof_last_write_status'), snapshotStatus: said('rdb_last_bgsave_status') },
    replicas: readReplicas(info, number('master_repl_offset') ?? 0),
    masterLink: said('master_link_status'),
    ...{ clockMs, roundTripMs, busyShare },
  };
}

const find = (info: string, name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];

/** How much of a core its main thread takes: that one executes every command. */
async function readBusyShare(redis: Redis): Promise<number | undefined> {
  const startedMs = performance.now();
  const before = await readCpuSeconds(redis);
  await delay(BUSY_MS);
  const after = await readCpuSeconds(redis);
  const seconds = (performance.now() - startedMs) / 1_000;
  return before === undefined || after === undefined ? undefined : (after - before) / seconds;
}

async function readCpuSeconds(redis: Redis): Promise<number | undefined> {
  const info = await redis.info('cpu').catch(() => '');
  const spent = ['user', 'sys'].map((kind) => find(info, `used_cpu_${kind}_main_thread`) ?? find(info, `used_cpu_${kind}`));
  return spent.includes(undefined) ? undefined : spent.reduce((sum, text) => sum + Number(text), 0);
}

async function readSetting(redis: Redis, name: string): Promise<string | undefined> {
  const answer = await redis.config('GET', name).catch(() => []);
  return (answer as string[])[1];
}

/** `slave0:ip=10.0.0.2,port=6379,state=online,offset=1234,lag=0` */
const readReplicas = (info: string, offset: number): InspectedNode['replicas'] =>
  [...info.matchAll(/^slave\d+:(.*?)\r?$/gm)].map(([, text = '']) => {
    const fields = new Map(text.split(',').map((field) => field.split('=') as [string, string]));
    return {
      address: `${fields.get('ip')}:${fields.get('port')}`,
      state: fields.get('state') ?? 'unknown',
      behindBytes: Math.max(0, offset - Number(fields.get('offset') ?? 0)),
    };
  });
