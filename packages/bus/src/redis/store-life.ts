import { randomBytes } from 'node:crypto';
import type { RedisLink } from './open-redis.js';
import { toFields, type Fields } from './decode-fields.js';
import type { Keys } from './keys.js';

const fieldOf = (info: string, name: string): string =>
  info
    .split(/\r?\n/)
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1) ?? '';

const configured = async (redis: RedisLink): Promise<Fields> => {
  try {
    return toFields(await redis.call('CONFIG', 'GET', 'append*'));
  } catch {
    return {}; // a managed Redis does not say; its run id is the careful answer
  }
};

/**
 * A token of the store's life. Scripts compare it with that of the session: another one means that writes may be lost, and the log begins
 * a new epoch. A master with `appendfsync always` keeps its token over restarts, because it loses nothing; any other has a new one each time
 * it starts. In a cluster each node has a life of its own, which the scripts look up where they run: `node`.
 * @param markStore the text of `mark-store`
 */
export async function readStoreLife(redis: RedisLink, keys: Keys, markStore: string): Promise<string> {
  if (redis.isCluster) return 'node';
  const [info, config] = await Promise.all([redis.info(), configured(redis)]);
  const runId = fieldOf(info, 'run_id');
  if (config['appendonly'] !== 'yes' || config['appendfsync'] !== 'always') return runId;
  const promoted = /[^0]/.test(fieldOf(info, 'master_replid2'));
  const name = await redis.eval(markStore, 1, keys.store, runId, randomBytes(8).toString('hex'), promoted ? '1' : '');
  return String(name);
}
