import type { CallRecord } from '@codelab/protocol';
import type { Sid } from '../../session-ref.js';
import type { Command, RedisCommands } from '../connection/redis-commands.js';
import type { Keys } from '../keys/keys.js';
import { digestsIn, isSplit, joinText, splitText } from './split-text.js';

/** Entries of a history and of a log that one look for names takes on: Redis does nothing else meanwhile. */
const NAMES_PAGE = 500;

/** What was read last, in UTF-16 units: the last result is read by each step again, and by each reader of the same frame. */
const RECENT_UNITS = 2 * 1024 * 1024;

/** Digests of strings that this process has stored. */
const KNOWN_STRINGS = 1_000;

/** What a model and a human read where the store lost a string: between quotes as it stands here. */
const LOST = '(This text was lost when the store lost writes.)';

/** By how much the clock that we know of a node may be wrong. */
const CLOCK_ERROR_MS = 50;

/** The time after which whoever kept a text did so after `atMs`, as the end of that text's life. */
export const keptLater = (atMs: number, ttlMs: number): number => Math.ceil(atMs) + CLOCK_ERROR_MS + ttlMs;

/**
 * Long strings of what sessions keep for good: results, messages, arguments in histories, logs and calls. Each stands once in the store, by its digest
 * (`cl:{blob:<digest>}:text`), however many texts of however many sessions have it. A session uses it until it is removed or expires; it is stored
 * before the text that names it, so that no reader finds a name without a string.
 */
export class LongStrings {
  private readonly known = new Set<string>();
  private readonly recent = new Map<string, string>();
  private recentUnits = 0;

  constructor(
    private readonly commands: RedisCommands,
    private readonly keys: Keys,
    private readonly ttlMs: number,
    /** Shorter strings stay where they are, in UTF-16 units; 0: all do. */
    private readonly fromUnits: number,
  ) {}

  /** What to store in the place of these texts, by the text; those that stay as they are are not in it. Their strings are stored when this resolves. */
  async keep(sid: Sid, texts: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const stored = new Map<string, string>();
    const strings = new Map<string, string>();
    for (const text of this.fromUnits === 0 ? [] : texts) {
      const split = stored.has(text) ? undefined : splitText(text, this.fromUnits);
      if (split === undefined) continue;
      stored.set(text, split.stored);
      for (const [digest, string] of split.strings) strings.set(digest, string);
    }
    if (strings.size > 0) await this.keepStrings(sid, [...strings]);
    return stored;
  }

  /** Texts as they were. One more round trip where one of them is split. */
  async restore(stored: readonly string[]): Promise<readonly string[]> {
    const needed = new Set(stored.filter(isSplit).flatMap(digestsIn));
    if (needed.size === 0) return stored;
    const found = await this.read([...needed]);
    return stored.map((text) => (isSplit(text) ? joinText(text, (digest) => found.get(digest) ?? LOST) : text));
  }

  private async read(needed: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map(needed.flatMap((digest) => (this.recent.has(digest) ? [[digest, this.recent.get(digest)!]] : [])));
    const digests = needed.filter((digest) => !found.has(digest));
    if (digests.length === 0) return found;
    const replies = await this.commands.runEach(
      'read-strings',
      digests.flatMap((digest): Command[] => [
        ['get', this.keys.blobText(digest)],
        ['pttl', this.keys.blobText(digest)],
      ]),
    );
    for (const [n, digest] of digests.entries()) {
      const string = replies[2 * n] as string | null;
      if (string === null) continue;
      found.set(digest, string);
      this.remember(digest, string);
    }
    await this.prolong(digests.filter((_, n) => Number(replies[2 * n + 1]) < this.ttlMs / 2));
    return found;
  }

  private remember(digest: string, string: string): void {
    if (string.length > RECENT_UNITS / 8) return;
    this.recentUnits += string.length - (this.recent.get(digest)?.length ?? 0);
    this.recent.delete(digest);
    this.recent.set(digest, string);
    for (const [oldest, { length }] of this.recent) {
      if (this.recentUnits <= RECENT_UNITS) return;
      this.recent.delete(oldest);
      this.recentUnits -= length;
    }
  }

  /** Calls with their frames as they were. */
  async restoreCalls<Record extends CallRecord>(calls: readonly Record[]): Promise<readonly Record[]> {
    if (!calls.some(({ frame }) => isSplit(frame))) return calls;
    const frames = await this.restore(calls.map(({ frame }) => frame));
    return calls.map((call, n) => ({ ...call, frame: frames[n]! }));
  }

  /** Names of the strings that a session uses. */
  async namesOf(sid: Sid): Promise<readonly string[]> {
    const { meta, history, log, calls } = this.keys.session(sid);
    const names = new Set<string>();
    for (let [item, entry]: [number, string] = [0, '-']; item >= 0 || entry !== '';) {
      const [page] = await this.commands.run('read-names', [['readNames', meta, history, log, calls, item, entry, NAMES_PAGE]]);
      const [nextItem, nextEntry, headers] = page as [number, string, string[]];
      for (const header of headers) for (const digest of digestsIn(`${header} `)) names.add(digest);
      [item, entry] = [nextItem, nextEntry];
    }
    return [...names];
  }

  /** A session that was removed at `atMs` uses these no more. One that was kept since may be another's of the same name: the janitor looks. */
  async release(sid: Sid, digests: readonly string[], atMs: number): Promise<void> {
    if (digests.length === 0) return;
    const latest = keptLater(atMs, this.ttlMs);
    await this.commands.runEach(
      'release-strings',
      digests.map((digest) => ['releaseBlob', this.keys.blobText(digest), this.keys.blobUsers(digest), latest, sid]),
    );
  }

  /** Those that were stored here a while ago are not sent again, unless they are gone. */
  private async keepStrings(sid: Sid, strings: readonly (readonly [digest: string, string: string])[]): Promise<void> {
    const keeping = (digest: string, string: string): Command => {
      return ['keepBlob', this.keys.blobText(digest), this.keys.blobUsers(digest), sid, this.ttlMs, string];
    };
    const replies = await this.commands.runEach(
      'keep-strings',
      strings.map(([digest, string]) => keeping(digest, this.known.has(digest) ? '' : string)),
    );
    const gone = strings.filter((_, n) => replies[n] === 0);
    if (gone.length > 0)
      await this.commands.runEach(
        'keep-strings',
        gone.map(([digest, string]) => keeping(digest, string)),
      );
    for (const [digest] of strings) {
      this.known.delete(digest);
      this.known.add(digest); // the last to be forgotten
    }
    for (const digest of this.known) if (this.known.size > KNOWN_STRINGS) this.known.delete(digest);
  }

  /** The janitor does this, too; where it doesn't run, use alone keeps what is used. */
  private async prolong(digests: readonly string[]): Promise<void> {
    const keys = digests.flatMap((digest) => [this.keys.blobText(digest), this.keys.blobUsers(digest)]);
    if (keys.length === 0) return;
    await this.commands.runEach(
      'prolong-strings',
      keys.map((key) => ['pexpire', key, this.ttlMs]),
    );
  }
}
