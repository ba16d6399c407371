import type { RedisCommands } from '../connection/redis-commands.js';
import type { Keys } from '../keys/keys.js';
import type { RestingSession } from './end-sessions.js';
import type { Tally } from './tally.js';

/**
 * Puts sessions among those with work that a store has set back: a replica took over without their last writes, or the end of a file was lost. A turn
 * that had ended runs again there, and what would wake it is kept elsewhere and knows nothing of it. The first runtime that holds such a
 * session begins a new epoch, so it is found once.
 */
export async function wakeForgotten(
  { commands, keys }: { readonly commands: RedisCommands; readonly keys: Keys },
  sessions: readonly (RestingSession | undefined)[],
  tally: Tally,
): Promise<void> {
  const nowMs = commands.score();
  const waiting = sessions.filter(
    (one): one is RestingSession => one !== undefined && one.turnId !== '' && !one.isFrozen && one.leaseUntilMs < nowMs,
  );
  const lives = await commands.runEach(
    'janitor-lives',
    waiting.map(({ ref: { sid } }) => ['readLife', keys.session(sid).meta, commands.lifePlace]),
  );
  const forgotten = waiting.filter(({ life }, place) => life !== lives[place]);
  await commands.runEach(
    'janitor-wakes',
    forgotten.map(({ ref: { sid } }) => ['zadd', keys.due(sid), commands.score(), sid]),
  );
  tally.woken += forgotten.length;
}
