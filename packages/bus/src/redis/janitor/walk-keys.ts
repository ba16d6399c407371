import type { Cluster, Redis } from 'ioredis';
import type { Keys } from '../keys/keys.js';
import type { RedisCommands } from '../connection/redis-commands.js';

/** Keys of one step of a walk. */
const PAGE = 500;

const serversOf = ({ redis }: RedisCommands): readonly (readonly [name: string, server: Redis])[] =>
  redis.isCluster
    ? (redis as Cluster).nodes('master').map((node) => [`${String(node.options.host)}:${String(node.options.port)}`, node])
    : [['store', redis as Redis]];

/**
 * Looks at the keys of the store, `limit` in all, from where the last walk ended, and says whether it came to the end on every server. One that comes
 * there and may look at more goes on from the beginning: without a limit it sees every key, whatever the walks before it saw. A server that joins
 * begins at its beginning; a key that is there all the time is seen in each round.
 */
export async function walkKeys(
  commands: RedisCommands,
  keys: Keys,
  limit: number,
  look: (keys: readonly string[]) => Promise<void>,
): Promise<boolean> {
  const servers = serversOf(commands);
  const share = Math.max(PAGE, Math.ceil(limit / Math.max(1, servers.length)));
  const [places] = await commands.run('read-walk', [['hmget', keys.walk, ...servers.map(([name]) => name)]]);
  let isThrough = true;
  for (const [place, [name, server]] of servers.entries()) {
    let cursor = (places as (string | null)[])[place] ?? '0';
    let looked = 0;
    let rounds = cursor === '0' ? 1 : 2;
    let hasEnded = false;
    do {
      const [next, found] = await server.scan(cursor, 'MATCH', `${keys.root}*`, 'COUNT', PAGE);
      cursor = next;
      looked += PAGE;
      await look(found);
      if (cursor !== '0') continue;
      hasEnded = true;
      rounds -= 1;
    } while (rounds > 0 && looked < share);
    isThrough &&= hasEnded;
    await commands.run('keep-walk', [
      ['hset', keys.walk, name, cursor],
      ['pexpire', keys.walk, WALK_TTL_MS],
    ]);
  }
  return isThrough;
}

/** A walk that nobody goes on with begins anew. */
const WALK_TTL_MS = 24 * 60 * 60_000;
