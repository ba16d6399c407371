import type { Sid } from '../../session-ref.js';
import type { RedisCommands } from '../connection/redis-commands.js';
import { keptLater } from '../blobs/long-strings.js';
import type { Keys } from '../keys/keys.js';
import type { Tally } from './tally.js';

/** Users of a text that one look takes on, by chance: of more the dead are found in a few looks. */
const MAX_USERS = 1_000;

/** Takes sessions that are gone out of the users of texts, and texts without users out of the store; lengthens the life of the others. */
export async function collectTexts(
  { commands, keys }: { readonly commands: RedisCommands; readonly keys: Keys },
  digests: readonly string[],
  { ttlMs, graceMs }: { readonly ttlMs: number; readonly graceMs: number },
  tally: Tally,
): Promise<void> {
  for (const digest of digests) {
    const [text, users] = [keys.blobText(digest), keys.blobUsers(digest)];
    const [left, names] = await commands.run('janitor-texts', [
      ['pttl', users],
      ['srandmember', users, MAX_USERS],
    ]);
    const age = ttlMs - Number(left);
    if (age < graceMs) continue; // kept a moment ago, by a session that may be about to begin
    const sids = names as Sid[];
    const latest = keptLater(commands.score(), ttlMs); // a session of the same name may begin meanwhile
    const lives = await commands.runEach(
      'janitor-texts',
      sids.map((sid) => ['exists', keys.session(sid).meta]),
    );
    const dead = sids.filter((_, place) => lives[place] === 0);
    if (dead.length > 0 || sids.length === 0) {
      const [went] = await commands.run('release-blobs', [['releaseBlob', text, users, latest, ...(dead.length > 0 ? dead : ['-'])]]);
      tally.names += dead.length;
      tally.texts += Number(went);
    }
    if (dead.length < sids.length && age > ttlMs / 2)
      await commands.run('janitor-texts', [
        ['pexpire', text, ttlMs],
        ['pexpire', users, ttlMs],
      ]);
  }
}
