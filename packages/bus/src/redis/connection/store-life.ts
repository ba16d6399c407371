import { randomBytes } from 'node:crypto';
import { toFields } from './decode-fields.js';
import type { Keys } from '../keys/keys.js';
import type { RedisLink } from './open-redis.js';
import { isReply } from './redis-refusal.js';

/** The name of a store's life, and what made it necessary. */
export interface StoreLife {
  readonly name: string;
  readonly cause: 'empty' | 'restart' | 'failover' | 'torn' | '';
}

/** `'1'`: every write is on disk before it is answered; `'0'`: not; `''`: a managed Redis does not say, which counts as a loss at its restart. */
const writesAlways = async (redis: RedisLink): Promise<'1' | '0' | ''> => {
  try {
    const config = toFields(await redis.call('CONFIG', 'GET', 'append*'));
    if (config['appendonly'] === undefined) return '';
    return config['appendonly'] === 'yes' && config['appendfsync'] === 'always' ? '1' : '0';
  } catch (error) {
    if (isReply(error)) return '';
    throw error;
  }
};

/** Where scripts read the life: the record's key, or `node` in a cluster, where each node has a life of its own. */
export const lifePlace = (redis: RedisLink, keys: Keys): string => (redis.isCluster ? 'node' : keys.store);

/**
 * Brings the record of the store's life up to date, and reads it. Whoever does it, and when, the answer is the same: the record says whether
 * writes were lost since it was written. Of callers' memory only this counts: what they were told to be stored, and isn't there. A session whose life is another begins a new epoch.
 * @param markStore the text of `mark-store`
 * @param evidence what the store is known to have held: see `NewestWrites`
 * @param ended names of lives that the caller has seen end
 */
export async function readStoreLife(
  redis: RedisLink,
  keys: Keys,
  markStore: string,
  evidence: readonly string[],
  ended: readonly string[],
): Promise<StoreLife> {
  if (redis.isCluster) return { name: 'node', cause: '' };
  const fresh = randomBytes(8).toString('hex');
  const [name, cause] = (await redis.eval(markStore, 1, keys.store, fresh, await writesAlways(redis), ...evidence, ...ended)) as [
    string,
    StoreLife['cause'],
  ];
  if (name === fresh && cause === 'torn') await rewriteFile(redis);
  return { name, cause };
}

/**
 * Has the append-only file written anew that was torn: Redis keeps a transaction in it that was torn in the middle of a command, and runs what is left of
 * it at the start after the next. In a cluster it is not known which node to ask.
 */
export async function rewriteFile(redis: RedisLink): Promise<void> {
  if (!redis.isCluster) await redis.call('BGREWRITEAOF').catch(() => undefined); // it can't, or somebody else has begun one
}
