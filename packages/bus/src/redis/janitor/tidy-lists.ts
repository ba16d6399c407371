import { ownerHash, sessionRef, type Owner } from '../../session-ref.js';
import type { RedisCommands } from '../connection/redis-commands.js';
import type { Keys } from '../keys/keys.js';
import type { RestingSession } from './end-sessions.js';
import type { Tally } from './tally.js';

/** Names of a list that one look takes on, by chance: what is gone in a longer one is found in a few looks, whoever has many that live. */
const MAX_NAMES = 200;

/** Takes names of sessions that are gone out of the lists of those persons who have sessions; other lists end by themselves. */
export async function tidyLists(
  { commands, keys }: { readonly commands: RedisCommands; readonly keys: Keys },
  sessions: readonly (RestingSession | undefined)[],
  tally: Tally,
): Promise<void> {
  const owners = new Map<string, Owner>();
  for (const session of sessions) if (session?.parent === '') owners.set(ownerHash(session.ref.owner), session.ref.owner);
  for (const owner of owners.values()) {
    const list = keys.owned(owner);
    const [found] = await commands.run('janitor-lists', [['zrandmember', list, MAX_NAMES, 'WITHSCORES']]);
    const flat = found as string[];
    // A name stands there before its session does.
    const isOld = (place: number): boolean => commands.score() - Number(flat[place + 1]) > NAMED_WITHIN_MS;
    const names = flat.filter((_, place) => place % 2 === 0 && isOld(place));
    const lives = await commands.runEach(
      'janitor-lists',
      names.map((name) => ['exists', keys.session(sessionRef(owner, name).sid).meta]),
    );
    const gone = names.filter((_, place) => lives[place] === 0);
    if (gone.length === 0) continue;
    await commands.run('janitor-lists', [['zrem', list, ...gone]]);
    tally.names += gone.length;
  }
}

/** A session that was named this long ago and is not there will not come. */
const NAMED_WITHIN_MS = 60_000;
