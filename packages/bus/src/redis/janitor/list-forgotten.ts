import { sessionRef } from '../../session-ref.js';
import type { ChildRegistry } from '../children/child-registry.js';
import type { Command, RedisCommands } from '../connection/redis-commands.js';
import type { Keys } from '../keys/keys.js';
import type { RestingSession } from './end-sessions.js';
import type { Tally } from './tally.js';

/** What writes a name into a list again. */
export interface ListParts {
  readonly commands: RedisCommands;
  readonly keys: Keys;
  readonly registry: ChildRegistry;
  readonly sessionTtlMs: number;
}

/**
 * Names sessions again in lists that a store has set back: a list has another slot than what it names, so one may lose its last writes alone. A
 * session is in the list of its person; a child whose turn runs in that of its parent, or nobody would see what it asks.
 */
export async function listForgotten(parts: ListParts, sessions: readonly (RestingSession | undefined)[], tally: Tally): Promise<void> {
  const there = sessions.filter((one): one is RestingSession => one !== undefined);
  tally.listed += await listSessions(
    parts,
    there.filter(({ parent }) => parent === ''),
  );
  const running = there.filter(({ parent, turnId, isCancelled }) => parent !== '' && turnId !== '' && !isCancelled);
  tally.listed += await parts.registry.restore(
    running.map(({ ref, parent, updatedAtMs }) => ({ parent: sessionRef(ref.owner, parent), child: ref, openedAtMs: updatedAtMs })),
  );
}

/** Reads first: a session that is removed meanwhile gets its name back only where it had lost it. */
async function listSessions({ commands, keys, sessionTtlMs }: ListParts, sessions: readonly RestingSession[]): Promise<number> {
  const scores = await commands.runEach(
    'janitor-listed',
    sessions.map(({ ref }) => ['zscore', keys.owned(ref.owner), ref.sessionId]),
  );
  const missing = sessions.filter((_, place) => scores[place] === null);
  await commands.runEach(
    'janitor-listed',
    missing.flatMap(({ ref: { owner, sessionId }, updatedAtMs }): Command[] => [
      ['zadd', keys.owned(owner), updatedAtMs, sessionId],
      ['pexpire', keys.owned(owner), sessionTtlMs],
    ]),
  );
  return missing.length;
}
