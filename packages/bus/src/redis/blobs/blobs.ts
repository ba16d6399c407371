import type { Sid } from '../../session-ref.js';
import type { SessionMeta } from '../../session-records.js';
import type { Command, RedisCommands } from '../connection/redis-commands.js';
import type { Keys } from '../keys/keys.js';
import { FROZEN_SCHEMA } from '../rest/resting-sessions.js';
import { blobName, blobNameOf, isBlobName, MIN_SHARED_BYTES } from './blob-name.js';

/** UTF-16 units of texts that a process keeps by their names. */
const MAX_CACHED_UNITS = 2 * 1024 * 1024;

/** A longer one is asked for each time it is needed: a client that sent it is to leave nothing behind (G4). */
const MAX_CACHED_TEXT_UNITS = 64 * 1024;

/** A text that is to be kept. */
export interface KeptText {
  /** What refers to it: its name, or where it is short the text itself. */
  readonly stored: string;
  /** Bytes that it counts for who stores it, as if nobody else had it. */
  readonly bytes: number;
}

/**
 * Texts that many sessions have in common, each once, by its digest (`cl:{blob:<digest>}:text`): tools of executors, prompts, what executors say
 * of a workspace. Servers compute the digests, and no client is ever told one or asked for one. Whoever refers to a text is among its users; with
 * the last of them it goes, and the janitor finds users that are gone.
 */
export class Blobs {
  private readonly cache = new Map<string, string>();
  private cachedUnits = 0;

  constructor(
    private readonly commands: RedisCommands,
    private readonly keys: Keys,
    private readonly ttlMs: number,
  ) {}

  /** Sees to it that a text is there before a session refers to it. A short one stays where it is used. */
  async keep(sid: Sid, text: string): Promise<KeptText> {
    const bytes = Buffer.byteLength(text);
    if (bytes < MIN_SHARED_BYTES) return { stored: text, bytes };
    const stored = blobName(text);
    const [kept] = await this.commands.run('keep-blob', [this.keeping(sid, stored, this.cache.has(stored) ? '' : text)]);
    if (kept === 0) await this.commands.run('keep-blob', [this.keeping(sid, stored, text)]);
    this.remember(stored, text);
    return { stored, bytes };
  }

  /** The command that keeps a text of this name: without it, if this process has seen it. It answers 0 where Redis has lost it. */
  keepingKnown(sid: Sid, name: string, text: string): Command {
    return this.keeping(sid, name, this.cache.has(name) ? '' : text);
  }

  keeping(sid: Sid, name: string, text: string): Command {
    return ['keepBlob', this.keys.blobText(name.slice(1)), this.keys.blobUsers(name.slice(1)), sid, this.ttlMs, text];
  }

  /** A session may refer to these no more: names of texts, or texts that were short. What it still refers to stays. */
  async release(sid: Sid, stored: readonly (string | number | null | undefined)[]): Promise<void> {
    const names = [...new Set(stored.map(String))].filter(isBlobName);
    if (names.length === 0) return;
    const session = this.keys.session(sid);
    const replies = await this.commands.run('read-references', [
      ['hmget', session.meta, 'executor_tools', 'schema'],
      ['hmget', session.messages, 'facts', 'facts_first', 'prompt_hash'],
    ]);
    const [tools, schema, facts, first, prompt] = replies.flat() as (string | null)[];
    if (schema === FROZEN_SCHEMA) return; // it has been put away: the janitor looks
    const used = new Set([tools, facts, first, prompt == null ? null : blobNameOf(prompt)]);
    await this.drop(
      sid,
      names.filter((name) => !used.has(name)),
    );
  }

  private async drop(sid: Sid, names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.commands.runEach(
      'release-blobs',
      names.map((name) => ['releaseBlob', this.keys.blobText(name.slice(1)), this.keys.blobUsers(name.slice(1)), '', sid]),
    );
  }

  /** Texts as they were before they were kept; `undefined` for one that is gone. One round trip for those that this process hasn't seen. */
  async read(stored: readonly string[]): Promise<readonly (string | undefined)[]> {
    const missing = [...new Set(stored.filter((one) => isBlobName(one) && !this.cache.has(one)))];
    if (missing.length > 0) {
      const texts = await this.commands.runEach(
        'read-blobs',
        missing.map((name) => ['get', this.keys.blobText(name.slice(1))]),
      );
      const found = new Map(missing.map((name, place) => [name, texts[place] as string | null]));
      for (const [name, text] of found) if (text !== null) this.remember(name, text);
      return stored.map((one) => (isBlobName(one) ? (found.get(one) ?? this.cache.get(one)) : one));
    }
    return stored.map((one) => (isBlobName(one) ? this.cached(one) : one));
  }

  /** Records with the tools of their executors written out. Without them, where Redis lost them: the next connection of the executor brings them. */
  async withTools(metas: readonly SessionMeta[]): Promise<readonly SessionMeta[]> {
    if (!metas.some(({ executorTools }) => isBlobName(executorTools))) return metas;
    const texts = await this.read(metas.map(({ executorTools }) => executorTools));
    return metas.map((meta, place) => {
      const { executorTools: storedTools } = meta;
      return isBlobName(storedTools) ? { ...meta, executorTools: texts[place] ?? '[]', storedTools } : meta;
    });
  }

  remember(name: string, text: string): void {
    if (text.length > MAX_CACHED_TEXT_UNITS || this.cache.has(name)) return;
    this.cache.set(name, text);
    this.cachedUnits += text.length;
    for (const [oldest, { length }] of this.cache) {
      if (this.cachedUnits <= MAX_CACHED_UNITS) return;
      this.cache.delete(oldest);
      this.cachedUnits -= length;
    }
  }

  private cached(name: string): string | undefined {
    const text = this.cache.get(name);
    if (text === undefined) return undefined;
    this.cache.delete(name);
    this.cache.set(name, text); // the last to be forgotten
    return text;
  }
}
