import type { Sid } from '../../session-ref.js';
import { toFields, type Fields } from '../connection/decode-fields.js';
import type { RedisCommands } from '../connection/redis-commands.js';
import type { Keys } from '../keys/keys.js';
import { freezeText, thawText, type RestingHashes } from './frozen-text.js';

/** `schema` in `meta` of a session whose hashes are put away. */
export const FROZEN_SCHEMA = 'frozen';

/** Entries of the longest stream that is written anew. */
const MAX_REWRITTEN = 200;

/** Hashes above this are left as they are: it is the many small sessions that count. */
const MAX_FROZEN_WORDS = 2_000;

/** What is looked at without opening a session, of which each is short. */
const KEPT = [
  ...['epoch', 'run_id', 'seq', 'tenant', 'sub', 'session_id', 'parent', 'turn_id', 'cancel_turn', 'updated_at', 'stored', 'expiring'],
  ...['lease_fence', 'lease_until', 'last_step', 'inbox_seq', 'inbox_done'],
] as const;

/** What they hold, in UTF-16 units, likewise. */
const MAX_FROZEN_UNITS = 256 * 1024;

/**
 * Sessions at rest: what they have in their hashes is one small text in `cl:{sid}:frozen`, and whoever runs a script on one brings it back first
 * (`FROZEN`). Readers read the text.
 */
export class RestingSessions {
  constructor(
    private readonly commands: RedisCommands,
    private readonly keys: Keys,
  ) {}

  /** Makes a session small that rests. `false`: it doesn't, or was written meanwhile. */
  async freeze(sid: Sid): Promise<boolean> {
    const { meta, calls, messages, frozen, audit, log } = this.keys.session(sid);
    const [reply] = await this.commands.run('look-at-rest', [['lookAtRest', meta, calls, messages]]);
    const [digest, ...hashes] = reply as [string, string[], string[], string[]];
    const words = hashes.flat();
    if (words.length > MAX_FROZEN_WORDS || words.reduce((sum, word) => sum + word.length, 0) > MAX_FROZEN_UNITS) return false;
    const text = freezeText({ meta: hashes[0], calls: hashes[1], messages: hashes[2] });
    const keys = [meta, calls, messages, frozen, audit, log];
    const [done] = await this.commands.run('freeze', [['freezeSession', ...keys, digest, text, MAX_REWRITTEN, ...KEPT]]);
    return done === 1;
  }

  /** Brings back what a session had; nothing where it is there. */
  async thaw(sid: Sid): Promise<void> {
    const { meta, calls, messages, frozen } = this.keys.session(sid);
    const [text] = await this.commands.run('read-frozen', [['get', frozen]]);
    if (typeof text !== 'string') return;
    const hashes = thawText(text);
    const words = [hashes.meta, hashes.calls, hashes.messages].flatMap((flat) => [flat.length, ...flat]);
    await this.commands.run('thaw', [['thawSession', meta, calls, messages, frozen, text, ...words]]);
  }

  /** Records as they were, of those that are frozen too: `metas[n]` is that of `sids[n]`. One more round trip where one is frozen. */
  async complete(sids: readonly Sid[], metas: readonly Fields[]): Promise<readonly Fields[]> {
    const frozen = sids.filter((_, place) => metas[place]?.['schema'] === FROZEN_SCHEMA);
    if (frozen.length === 0) return metas;
    const found = await this.read(frozen);
    const back = frozen.filter((sid) => !found.has(sid)); // brought back, or removed, meanwhile
    const replies = await this.commands.runEach(
      'read-frozen',
      back.map((sid) => ['hgetall', this.keys.session(sid).meta]),
    );
    const now = new Map(back.map((sid, place) => [sid, toFields(replies[place])]));
    return metas.map((fields, place) => {
      if (fields['schema'] !== FROZEN_SCHEMA) return fields;
      const hashes = found.get(sids[place]!);
      return hashes === undefined ? (now.get(sids[place]!) ?? {}) : toFields(hashes.meta);
    });
  }

  /** Those of the sessions that are frozen. */
  async frozenAmong(sids: readonly Sid[]): Promise<readonly Sid[]> {
    const schemas = await this.commands.runEach(
      'read-frozen',
      sids.map((sid) => ['hget', this.keys.session(sid).meta, 'schema']),
    );
    return sids.filter((_, place) => schemas[place] === FROZEN_SCHEMA);
  }

  /** The hashes of sessions that are frozen. */
  async read(sids: readonly Sid[]): Promise<ReadonlyMap<Sid, RestingHashes>> {
    const texts = await this.commands.runEach(
      'read-frozen',
      sids.map((sid) => ['get', this.keys.session(sid).frozen]),
    );
    return new Map(sids.flatMap((sid, place) => (typeof texts[place] === 'string' ? [[sid, thawText(texts[place])] as const] : [])));
  }
}
