import { sessionRef, type SessionRef, type Sid } from '../../session-ref.js';
import type { SessionDeliveries, SessionMembership } from '../../session-store.js';
import type { RedisCommands } from '../connection/redis-commands.js';
import type { Keys } from '../keys/keys.js';
import type { Tally } from './tally.js';

/** What the janitor knows of a session. */
export interface RestingSession {
  readonly ref: SessionRef;
  readonly parent: string;
  readonly turnId: string;
  readonly isCancelled: boolean;
  readonly updatedAtMs: number;
  readonly leaseUntilMs: number;
  readonly lastStep: string;
  readonly isFrozen: boolean;
  /** Something is in its inbox. */
  readonly hasUnread: boolean;
  /** The life of the store when it was last written. */
  readonly life: string;
  /** It began anew in another life of the store, and nobody has held it since. */
  readonly isSetBack: boolean;
}

const FIELDS = [
  'epoch',
  'tenant',
  'sub',
  'session_id',
  'parent',
  'turn_id',
  'cancel_turn',
  'updated_at',
  'lease_until',
  'last_step',
  'schema',
  'run_id',
  'inbox_seq',
  'inbox_done',
  'set_back',
] as const;

/** The sessions of these inner names; `undefined` for one that is gone, or of which only something is left that was written late. */
export async function readSessions(
  commands: RedisCommands,
  keys: Keys,
  sids: readonly Sid[],
): Promise<ReadonlyMap<Sid, RestingSession | undefined>> {
  const replies = await commands.runEach(
    'janitor-sessions',
    sids.map((sid) => ['hmget', keys.session(sid).meta, ...FIELDS]),
  );
  return new Map(
    sids.map((sid, place) => {
      const [epoch, tenant, sub, sessionId, parent, turn, cancelled, updated, lease, step, schema, life, seq, done, setBack] = replies[
        place
      ] as (string | null)[];
      if (epoch == null || tenant == null || sub == null || sessionId == null) return [sid, undefined];
      const session: RestingSession = {
        ref: sessionRef({ tenant, sub }, sessionId),
        ...{ parent: parent ?? '', turnId: turn ?? '', isCancelled: (turn ?? '') !== '' && cancelled === turn },
        ...{ updatedAtMs: Number(updated ?? 0), leaseUntilMs: Number(lease ?? 0) },
        ...{
          lastStep: step ?? '',
          isFrozen: schema !== '2',
          life: life ?? '',
          isSetBack: setBack === '1',
          hasUnread: Number(seq ?? 0) > Number(done ?? 0),
        },
      };
      return [sid, session] as const;
    }),
  );
}

/**
 * Ends a turn that has waited for longer than it may, and a child whose parent is gone: by a cancel, which tells everybody, and by removing what
 * has not ended by that. Answers whether the session goes on.
 */
export async function endAbandoned(
  store: SessionDeliveries & SessionMembership,
  session: RestingSession,
  { parkedTtlMs, nowMs, hasParent }: { readonly parkedTtlMs: number; readonly nowMs: number; readonly hasParent: boolean },
  tally: Tally,
): Promise<boolean> {
  const { ref, turnId, isCancelled, updatedAtMs, leaseUntilMs } = session;
  const rests = leaseUntilMs < nowMs;
  const isOrphan = session.parent !== '' && !hasParent;
  const isOverdue = turnId !== '' && nowMs - updatedAtMs > parkedTtlMs;
  if (!isOrphan && !isOverdue) return true;
  if (turnId !== '' && !isCancelled) {
    await store.requestCancel(ref, { queue: true });
    tally.cancelled += 1;
    return true;
  }
  if (!rests) return true; // it is being ended
  await store.remove(ref);
  tally.removed += 1;
  return false;
}
