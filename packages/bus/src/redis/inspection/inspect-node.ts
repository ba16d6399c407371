import type { Redis } from 'ioredis';
import type { InspectedNode } from '../../store-inspection.js';

/** What one server says of itself. Questions that it forbids stay open. */
export async function inspectNode(redis: Redis): Promise<InspectedNode> {
  const startedMs = performance.now();
  const [seconds, micros] = (await redis.time()) as unknown as [string, string];
  const roundTripMs = performance.now() - startedMs;
  const clockMs = Math.round(Number(seconds) * 1_000 + Number(micros) / 1_000 - (Date.now() - roundTripMs / 2));
  const [info, appendonly, appendfsync] = await Promise.all([
    redis.info().catch(() => ''),
    readSetting(redis, 'appendonly'),
    readSetting(redis, 'appendfsync'),
  ]);
  const said = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const number = (name: string): number | undefined => (said(name) === undefined ? undefined : Number(said(name)));
  const { host, port, path } = redis.options;
  return {
    address: path ?? `${host}:${port}`,
    ...{ role: said('role'), version: said('redis_version'), appendonly, appendfsync, maxmemoryPolicy: said('maxmemory_policy') },
    ...{ usedBytes: number('used_memory'), maxBytes: number('maxmemory'), evictedKeys: number('evicted_keys') },
    ...{ appendStatus: said('aof_last_write_status'), snapshotStatus: said('rdb_last_bgsave_status') },
    replicas: readReplicas(info, number('master_repl_offset') ?? 0),
    masterLink: said('master_link_status'),
    ...{ clockMs, roundTripMs },
  };
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
