import type { Command, RedisCommands } from '../connection/redis-commands.js';
import type { Keys } from '../keys/keys.js';
import type { RestingSession } from './end-sessions.js';
import type { Tally } from './tally.js';

/**
 * Puts sessions among those with work that a store has set back: a replica took over without their last writes, or the end of a file was lost. Their
 * turn runs again, waits for a model, or their inbox has something that nobody has read, and what would wake them is kept elsewhere and knows
 * nothing of it. One that is set back is due now, whatever it was to be looked at for later; one that only waits for a model, or whose
 * holder died, stays where it is if it is among those with work, or will be.
 */
export async function wakeForgotten(
  { commands, keys }: { readonly commands: RedisCommands; readonly keys: Keys },
  sessions: readonly (RestingSession | undefined)[],
  tally: Tally,
): Promise<void> {
  const nowMs = commands.score();
  const waiting = sessions.filter((one): one is RestingSession => one !== undefined && one.turnId !== '' && one.leaseUntilMs < nowMs);
  const lives = await commands.runEach(
    'janitor-lives',
    waiting.map(({ ref: { sid } }) => ['readLife', keys.session(sid).meta, commands.lifePlace]),
  );
  const steps = await commands.runEach(
    'janitor-steps',
    waiting.map(({ ref: { sid }, lastStep }) => ['hget', keys.session(sid).step(lastStep || 'none'), 'state']),
  );
  // Whoever writes to a session of another life first begins a new epoch, and whoever holds it then forgets that it was set back.
  const wakes = waiting.flatMap(({ ref: { sid }, life, hasUnread, isSetBack, leaseUntilMs }, place): Command[] => {
    const isDue = hasUnread || isSetBack || life !== lives[place];
    const hadHolder = leaseUntilMs > 0; // whose lease ended by itself: it died, and its session was due then
    if (!isDue && !hadHolder && !isOpenStep(steps[place])) return [];
    return [['zadd', keys.due(sid), ...(isDue ? ['LT', 'CH'] : ['NX']), commands.score(), sid]];
  });
  const added = await commands.runEach('janitor-wakes', wakes);
  tally.woken += added.filter((count) => count === 1).length;
}

/** A model request that is not over. */
export const isOpenStep = (state: unknown): boolean => state === 'requested' || state === 'running';
