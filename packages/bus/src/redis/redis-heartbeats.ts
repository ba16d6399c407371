import type { Heartbeats } from '../heartbeats.js';
import type { Sid } from '../session-ref.js';
import type { WakeQueue } from '../wake-queue.js';
import { Beats } from './beats.js';
import type { Command, RedisCommands } from './connection/redis-commands.js';
import type { Keys } from './keys/keys.js';
import { LEASE_MS } from './limits.js';

/** Sessions that are looked at in one round trip. */
const PAGE = 500;

/** Beats for the holders of leases. */
export function createRedisHeartbeats(commands: RedisCommands, keys: Keys, wakes: Pick<WakeQueue, 'wake'>): Heartbeats {
  const beats = new Beats(commands, keys.workers);
  commands.onChange(() => (commands.status() === 'away' ? beats.lose() : undefined));

  /** A held session is due when its lease ends: those of the next seconds are all that can be held. */
  const heldSessions = async (shard: string): Promise<Sid[]> => {
    const [sids] = await commands.run('held-sessions', [['zrangebyscore', shard, '-inf', commands.score() + 2 * LEASE_MS]]);
    return sids as Sid[];
  };

  const endLeases = async (worker: string): Promise<Sid[]> => {
    const ended: Sid[] = [];
    for (const shard of keys.everyDue) {
      const held = await heldSessions(shard);
      for (let from = 0; from < held.length; from += PAGE) {
        const page = held.slice(from, from + PAGE);
        const replies = await commands.runEach(
          'end-leases',
          page.map((sid): Command => ['endLease', keys.session(sid).meta, worker]),
        );
        ended.push(...page.filter((_, at) => replies[at] === 1));
      }
    }
    await commands.runEach(
      'end-leases',
      ended.map((sid): Command => ['zadd', keys.due(sid), 'XX', commands.score(), sid]),
    );
    await Promise.all(ended.map((sid) => wakes.wake(sid)));
    return ended;
  };

  return {
    beat: async (worker) => {
      const silent = [];
      for (const each of await beats.beat(worker)) silent.push({ worker: each, sessions: await endLeases(each) });
      return silent;
    },
    leave: async (worker) => {
      await beats.takeOut(worker);
      return endLeases(worker);
    },
  };
}
