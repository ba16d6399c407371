import type { Sid } from '../../session-ref.js';
import type { Command, RedisCommands } from '../connection/redis-commands.js';
import { keptLater } from '../blobs/long-strings.js';
import type { Keys } from '../keys/keys.js';
import type { Tally } from './tally.js';

/** Users of a text that one look takes on, by chance: of more the dead are found in a few looks. */
const MAX_USERS = 1_000;

/** Texts that are looked at together. */
const PAGE = 100;

interface TextParts {
  readonly commands: RedisCommands;
  readonly keys: Keys;
}

interface Ages {
  readonly ttlMs: number;
  readonly graceMs: number;
}

/** Takes sessions that are gone out of the users of texts, and texts without users out of the store; lengthens the life of the others. */
export async function collectTexts(parts: TextParts, digests: readonly string[], ages: Ages, tally: Tally): Promise<void> {
  for (let at = 0; at < digests.length; at += PAGE) await collectPage(parts, digests.slice(at, at + PAGE), ages, tally);
}

async function collectPage(
  { commands, keys }: TextParts,
  digests: readonly string[],
  { ttlMs, graceMs }: Ages,
  tally: Tally,
): Promise<void> {
  const replies = await commands.runEach(
    'janitor-texts',
    digests.flatMap((digest): Command[] => [
      ['pttl', keys.blobUsers(digest)],
      ['srandmember', keys.blobUsers(digest), MAX_USERS],
    ]),
  );
  const texts = digests
    .map((digest, n) => ({ digest, age: ttlMs - Number(replies[2 * n]), sids: replies[2 * n + 1] as Sid[] }))
    .filter(({ age }) => age >= graceMs); // others were kept a moment ago, by a session that may be about to begin
  const latest = keptLater(commands.score(), ttlMs); // a session of the same name may begin meanwhile
  const sids = [...new Set(texts.flatMap((text) => text.sids))];
  const lives = await commands.runEach(
    'janitor-texts',
    sids.map((sid) => ['exists', keys.session(sid).meta]),
  );
  const gone = new Set(sids.filter((_, n) => lives[n] === 0));
  const releases: Command[] = [];
  const prolongs: Command[] = [];
  for (const { digest, age, sids: users } of texts) {
    const dead = users.filter((sid) => gone.has(sid));
    const [text, list] = [keys.blobText(digest), keys.blobUsers(digest)];
    tally.names += dead.length;
    if (dead.length > 0 || users.length === 0) releases.push(['releaseBlob', text, list, latest, ...(dead.length > 0 ? dead : ['-'])]);
    if (dead.length < users.length && age > ttlMs / 2) prolongs.push(['pexpire', text, ttlMs], ['pexpire', list, ttlMs]);
  }
  const went = await commands.runEach('release-blobs', releases);
  tally.texts += went.reduce<number>((sum, one) => sum + Number(one), 0);
  await commands.runEach('janitor-texts', prolongs);
}
