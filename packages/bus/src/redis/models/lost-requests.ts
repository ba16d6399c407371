import { BEAT_MS } from '../../heartbeats.js';
import { Beats } from '../beats.js';
import type { BusLogger } from '../connection/bus-logger.js';
import type { Command, RedisCommands } from '../connection/redis-commands.js';
import type { Keys } from '../keys/keys.js';
import { CLAIM_MS } from '../limits.js';
import { GROUP, toEntry, type Entry, type RawEntry } from './entry.js';

/** How often entries are looked for that nobody renews. */
const RECLAIM_MS = 500;
/** An entry whose consumer has not renewed it for this long belongs to nobody: its claim has ended. */
const ABANDONED_MS = CLAIM_MS + 100;
/** After an outage consumers come back one after the other, and renew what they have: so long nobody takes it from them. */
const GRACE_MS = 1_500;
/** Entries that are looked at in one round trip. */
const PAGE = 500;

/** What looks for lost requests works with. */
export interface LostRequestsParts {
  readonly commands: RedisCommands;
  readonly keys: Keys;
  readonly logger: BusLogger;
  /** Who asks. */
  readonly consumer: string;
  /** How many more can be served. */
  readonly free: () => number;
  /** Claims an entry, unless it is being served here, and serves it. */
  readonly begin: (entry: Entry) => Promise<void>;
  readonly forget: (entry: Entry) => void;
}

/**
 * Finds requests that nobody serves, though they stand in the name of a consumer: of one that died or stands still, by its beats; of one whose
 * renewals don't come; and our own of which we never heard, because the store went away in that moment.
 */
export class LostRequests {
  private readonly beats: Beats;
  private readonly looks: NodeJS.Timeout;
  private readonly unhear: () => void;
  private readyAtMs = -Infinity;
  private beating: Promise<void> = Promise.resolve();
  private nextBeat: NodeJS.Timeout | undefined;
  private stopped = false;
  private wasMissed = false;

  constructor(private readonly parts: LostRequestsParts) {
    const { commands, keys } = parts;
    this.beats = new Beats(commands, keys.proxies);
    this.unhear = commands.onChange(() => (commands.status() === 'ready' ? this.comeBack() : this.beats.lose()));
    this.looks = setInterval(() => void this.look().catch(() => undefined), RECLAIM_MS); // away: it looks again
    this.beatSoon();
  }

  /** An entry of ours could not be begun: it is tried again. */
  miss(error: unknown): void {
    this.wasMissed = true;
    const { commands, logger } = this.parts;
    if (commands.status() === 'ready') logger.warn({ event: 'model_queue.not_begun', message: String(error) });
  }

  /** Looks for what was given to us while we did not hear it. */
  async resume(): Promise<void> {
    const { commands, keys, consumer } = this.parts;
    if (commands.status() === 'away') return;
    this.wasMissed = false;
    try {
      for (const stream of keys.everyModels) {
        for (let from: string | undefined = '0'; from !== undefined;) {
          const asked: Command = ['xreadgroup', 'GROUP', GROUP, consumer, 'COUNT', PAGE, 'STREAMS', stream, from];
          const [reply] = (await commands.run('resume-steps', [asked])) as [[string, RawEntry[]][] | null];
          const entries = reply?.[0]?.[1] ?? [];
          await Promise.all(entries.map((entry) => this.take(stream, entry)));
          from = entries.length < PAGE ? undefined : entries.at(-1)?.[0];
        }
      }
    } catch {
      this.wasMissed = true; // away, or the groups are not there yet
    }
  }

  /** Takes the consumer out of those that live. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.looks);
    clearTimeout(this.nextBeat);
    this.unhear();
    await this.beating;
    await this.beats.takeOut(this.parts.consumer).catch(() => undefined); // away: it falls silent
  }

  private comeBack(): void {
    this.readyAtMs = performance.now();
    void this.resume();
  }

  private async look(): Promise<void> {
    if (this.wasMissed) await this.resume();
    if (performance.now() - this.readyAtMs > GRACE_MS) await this.reclaim();
  }

  /** One beat after the other: several at once would only count as silence of the others. */
  private beatSoon(): void {
    if (this.stopped) return;
    this.nextBeat = setTimeout(() => {
      this.beating = this.beat()
        .catch(() => undefined) // away: so are the others
        .finally(() => this.beatSoon());
    }, BEAT_MS);
  }

  private async beat(): Promise<void> {
    for (const silent of await this.beats.beat(this.parts.consumer)) {
      const requests = await this.endClaims(silent);
      this.parts.logger.warn({ event: 'model_queue.consumer_silent', consumer: silent, requests });
    }
  }

  /** Entries whose consumer died long ago, or does not renew them, wherever they stand among those that were given out. */
  private async reclaim(): Promise<void> {
    const { commands, keys, free } = this.parts;
    const count = free();
    if (count <= 0 || commands.status() === 'away') return;
    const silent = (await commands.runEach(
      'reclaim-steps',
      keys.everyModels.map((stream) => ['xpending', stream, GROUP, 'IDLE', ABANDONED_MS, '-', '+', count] as const),
    )) as [string][][];
    await Promise.all(
      keys.everyModels.map((stream, place) =>
        this.claimSilent(
          stream,
          silent[place]!.map(([id]) => id),
        ),
      ),
    );
  }

  private async claimSilent(stream: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const { commands, consumer } = this.parts;
    const [claimed] = await commands.run('reclaim-steps', [['xclaim', stream, GROUP, consumer, ABANDONED_MS, ...ids]]);
    await Promise.all((claimed as RawEntry[]).map((entry) => this.take(stream, entry)));
  }

  /** What a consumer leaves: we take as much as we can serve, and others find the rest at their next look. Resolves to how much it was. */
  private async endClaims(silent: string): Promise<number> {
    let requests = 0;
    for (const stream of this.parts.keys.everyModels) {
      for (let left = await this.pendingOf(stream, silent); left.length > 0;) {
        requests += left.length;
        await this.endClaimsOf(stream, silent, left);
        left = left.length < PAGE ? [] : await this.pendingOf(stream, silent, left.at(-1)![0]);
      }
    }
    return requests;
  }

  private async pendingOf(stream: string, consumer: string, after?: string): Promise<RawEntry[]> {
    const { commands } = this.parts;
    const from = after === undefined ? '-' : `(${after}`;
    const [rows] = await commands.run('pending-steps', [['xpending', stream, GROUP, from, '+', PAGE, consumer]]);
    const ids = (rows as [string][]).map(([id]) => id);
    if (ids.length === 0) return [];
    const found = (await commands.run(
      'pending-steps',
      ids.map((id): Command => ['xrange', stream, id, id]),
    )) as RawEntry[][];
    return ids.map((id, at) => found[at]?.[0] ?? [id, null]);
  }

  private async endClaimsOf(stream: string, silent: string, pending: readonly RawEntry[]): Promise<void> {
    const { commands, keys, consumer, free } = this.parts;
    const entries = pending.filter(([, fields]) => fields !== null);
    await commands.runEach(
      'end-claims',
      entries.map((entry): Command => {
        const { sid, stepId } = toEntry(stream, entry);
        return ['endClaim', keys.session(sid).step(stepId), silent];
      }),
    );
    const count = Math.max(0, free());
    const [ours, others] = [entries.slice(0, count), entries.slice(count)];
    const claim = (owner: string, some: readonly RawEntry[], idleMs: number): Command[] =>
      some.length === 0 ? [] : [['xclaim', stream, GROUP, owner, 0, ...some.map(([id]) => id), 'IDLE', idleMs, 'JUSTID']];
    await commands.run('end-claims', [...claim(consumer, ours, 0), ...claim(silent, others, ABANDONED_MS)]);
    await Promise.all(ours.map((entry) => this.take(stream, entry)));
  }

  private async take(stream: string, raw: RawEntry): Promise<void> {
    const entry = toEntry(stream, raw);
    if (raw[1] === null) return this.parts.forget(entry);
    await this.parts.begin(entry).catch((error: unknown) => this.miss(error));
  }
}
