import type { Sid } from '../../session-ref.js';
import { toFields, type Fields } from '../connection/decode-fields.js';
import type { RedisCommands } from '../connection/redis-commands.js';
import type { Keys } from '../keys/keys.js';
import { freezeText, thawText, type RestingParts, type StreamEntry } from './frozen-text.js';

/** `schema` in `meta` of a session whose hashes are put away. */
export const FROZEN_SCHEMA = 'frozen';

/** Entries of the longest stream that is written anew where it stays. */
const MAX_REWRITTEN = 200;

/** A session with more words in its hashes, or with longer ones in UTF-16 units, is left as it is: it is the many small ones that count. */
const [MAX_FROZEN_WORDS, MAX_FROZEN_UNITS] = [2_000, 256 * 1024];

/** What is looked at without opening a session, of which each is short. */
const KEPT = [
  ...['epoch', 'run_id', 'seq', 'tenant', 'sub', 'session_id', 'parent', 'turn_id', 'cancel_turn', 'updated_at', 'stored', 'expiring'],
  ...['lease_fence', 'lease_until', 'last_step', 'inbox_seq', 'inbox_done'],
  ...['was_epoch', 'was_seq', 'was_entry'],
] as const;

/** What `look-at-rest` answers. */
type Looked = readonly [digest: string, meta: string[], calls: string[], messages: string[], log: StreamEntry[], audit: StreamEntry[]];

/**
 * Sessions at rest: what they have in their hashes, in a short log and in a short audit trail is one small text in `cl:{sid}:frozen`, and whoever runs a
 * script on one brings it back first (`FROZEN`). Readers read the text.
 */
export class RestingSessions {
  constructor(
    private readonly commands: RedisCommands,
    private readonly keys: Keys,
  ) {}

  /** Makes a session small that rests. `false`: it doesn't, or was written meanwhile. */
  async freeze(sid: Sid): Promise<boolean> {
    const keys = this.keysOf(sid);
    const [reply] = await this.commands.run('look-at-rest', [['lookAtRest', ...keys]]);
    const [digest, meta, calls, messages, log, audit] = reply as Looked;
    if (meta.length === 0) return false; // it was deleted meanwhile
    const words = [meta, calls, messages].flat();
    if (words.length > MAX_FROZEN_WORDS || words.reduce((sum, word) => sum + word.length, 0) > MAX_FROZEN_UNITS) return false;
    const text = freezeText({ meta, calls, messages, log, audit });
    const { frozen } = this.keys.session(sid);
    const [done] = await this.commands.run('freeze', [['freezeSession', ...keys, frozen, digest, text, MAX_REWRITTEN, ...KEPT]]);
    return done === 1;
  }

  /** Brings back what a session had; nothing where it is there. */
  async thaw(sid: Sid): Promise<void> {
    const { frozen } = this.keys.session(sid);
    const [text] = await this.commands.run('read-frozen', [['get', frozen]]);
    if (typeof text !== 'string') return;
    const { meta, calls, messages, log, audit } = thawText(text);
    const ofHash = (flat: readonly string[]) => [flat.length, ...flat];
    const ofStream = (entries: readonly StreamEntry[]) => [entries.length, ...entries.flatMap(([id, words]) => [id, ...ofHash(words)])];
    const words = [...[calls, messages].flatMap(ofHash), ...[log, audit].flatMap(ofStream), ...ofHash(meta)];
    await this.commands.run('thaw', [['thawSession', ...this.keysOf(sid), frozen, text, ...words]]);
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

  /** What sessions have that are frozen. */
  async read(sids: readonly Sid[]): Promise<ReadonlyMap<Sid, RestingParts>> {
    const texts = await this.commands.runEach(
      'read-frozen',
      sids.map((sid) => ['get', this.keys.session(sid).frozen]),
    );
    return new Map(sids.flatMap((sid, place) => (typeof texts[place] === 'string' ? [[sid, thawText(texts[place])] as const] : [])));
  }

  /** The keys of `includes/rest`. */
  private keysOf(sid: Sid): readonly string[] {
    const { meta, calls, messages, log, audit } = this.keys.session(sid);
    return [meta, calls, messages, log, audit];
  }
}
