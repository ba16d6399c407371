import { once } from 'node:events';
import type { StoreInspection } from '../../store-inspection.js';
import { openRedis } from '../connection/open-redis.js';
import { toRedisPlace } from '../connection/redis-url.js';
import { createKeys } from '../keys/keys.js';
import { inspectServers } from './inspect-servers.js';
import { inspectWork } from './inspect-work.js';

/**
 * Looks at the store at `url`, and at the processes that work with it, once: nothing is marked, taken or moved. Each server has `withinMs` to
 * answer, and one that does not is named. Rejects with `BusError` where nobody answers.
 */
export async function inspectStore(
  url: string,
  { withinMs = 3_000, namespaceForTests }: { readonly withinMs?: number; readonly namespaceForTests?: string } = {},
): Promise<StoreInspection> {
  const place = toRedisPlace(url);
  const servers = await inspectServers(place, withinMs);
  const clockMs = servers.nodes.find(({ role }) => role === 'master')?.clockMs ?? servers.nodes[0]?.clockMs ?? 0;
  const redis = openRedis(url, { purpose: 'commands', commandTimeout: withinMs });
  let trouble = 'nothing answers';
  redis.on('error', ({ message }: Error) => (trouble = message));
  try {
    await once(redis, 'ready', { signal: AbortSignal.timeout(withinMs) });
    return { ...servers, work: await inspectWork(redis, createKeys(namespaceForTests, place.kind), clockMs) };
  } catch (error) {
    const { name, message } = error as Error;
    return { ...servers, work: { problem: name === 'AbortError' ? trouble : message } };
  } finally {
    redis.disconnect();
  }
}
