import type { InspectedWork, StuckSession } from '../../store-inspection.js';
import type { Sid } from '../../session-ref.js';
import type { Command } from '../connection/redis-commands.js';
import type { Keys } from '../keys/keys.js';
import { LEASE_MS } from '../limits.js';
import type { Looking } from './looking.js';

/** Sessions of one part of the queue that are looked at. */
const MAX_LOOKED_AT = 2_000;

/** A sweep takes what is due within a second or two; leases that ended are found by the next one. */
const OVERDUE_MS = 10_000;

/** Sessions that nobody works on though somebody should. */
export async function findStuck(looking: Looking, keys: Keys): Promise<Pick<InspectedWork, 'stuck' | 'lookedAt'>> {
  const [workers] = await looking.run('workers', [['hkeys', keys.workers]]);
  const alive = new Set(workers as string[]);
  const parts = (await looking.runEach(
    'due',
    keys.everyDue.map((due): Command => ['zrange', due, 0, MAX_LOOKED_AT - 1, 'WITHSCORES']),
  )) as string[][];
  const due = parts.flatMap((part) => part.flatMap((sid, at) => (at % 2 === 0 ? [{ sid, atMs: Number(part[at + 1]) }] : [])));
  const leases = (await looking.runEach(
    'leases',
    due.map(({ sid }): Command => ['hmget', keys.session(sid as Sid).meta, 'lease_owner', 'lease_until']),
  )) as (string | null)[][];
  const now = looking.score();
  const stuck = due.flatMap(({ sid, atMs }, at): StuckSession[] => {
    const [worker, until] = leases[at] ?? [];
    const leftMs = Math.round(Number(until ?? 0) - now);
    const lease = { sid, ms: leftMs, worker: worker ?? undefined };
    if (leftMs > 2 * LEASE_MS) return [{ ...lease, why: 'far' }];
    if (leftMs > 0 && !alive.has(worker ?? '')) return [{ ...lease, why: 'held' }];
    return leftMs <= 0 && now - atMs > OVERDUE_MS ? [{ sid, why: 'overdue', ms: Math.round(now - atMs) }] : [];
  });
  return { stuck, lookedAt: due.length };
}
