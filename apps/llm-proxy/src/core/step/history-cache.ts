import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClaimedStep } from '@codelab/bus';
import type { HistoryItem } from '@codelab/llm';
import type { KnownHistory } from './to-model-request.js';

/** Characters parsed without a pause: a few milliseconds. */
const SLICE_CHARACTERS = 512 * 1024;

/** What an item takes in memory beside its text, as characters: its objects, and those of the message that is made of it. */
const ITEM_CHARACTERS = 600;

/** A session that was not served for so long has ended, or waits for its human: its history is read anew when it comes back. */
const KEPT_MS = 10 * 60_000;

interface Entry extends KnownHistory {
  /** The text of the last item: if it is another one now, the history is another one too. */
  readonly last: string | undefined;
  /** With {@link ITEM_CHARACTERS} of each item. */
  readonly characters: number;
  readonly servedAtMs: number;
}

/** What the cache needs of a step. */
export type HistorySource = Pick<ClaimedStep, 'ref' | 'request' | 'readHistory'>;

/**
 * The histories of the sessions served in the last ten minutes, so that a step reads and parses only what is new. Bounded by characters, the
 * session that was served longest ago goes first. A history only grows; one that was removed and begun again is recognised by the last item
 * that is known, which is read again each time.
 */
export class HistoryCache {
  private readonly entries = new Map<string, Entry>();
  private characters = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    private readonly maxCharacters: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The item from which on the next step of a session reads: the last that is known. */
  readsFrom(sid: string): number {
    return Math.max(0, (this.entries.get(sid)?.items.length ?? 0) - 1);
  }

  /** The history of a step, whole. Gives way to others while it parses a long one. */
  async read(step: HistorySource): Promise<KnownHistory> {
    const { sid } = step.ref;
    const known = this.take(sid);
    const isUsable = known !== undefined && known.items.length <= step.request.historyVersion && known.items.length > 0;
    const from = isUsable ? known.items.length - 1 : 0;
    const texts = await step.readHistory(from);
    if (isUsable && texts[0] !== known.last) return this.keep(sid, undefined, await step.readHistory(0));
    return this.keep(sid, isUsable ? known : undefined, isUsable ? texts.slice(1) : texts);
  }

  private async keep(sid: string, known: Entry | undefined, added: readonly string[]): Promise<KnownHistory> {
    const items = [...(known?.items ?? []), ...(await parseAll(added))];
    const characters = (known?.characters ?? 0) + added.reduce((sum, { length }) => sum + length + ITEM_CHARACTERS, 0);
    const servedAtMs = this.now();
    const entry: Entry = { items, last: added.at(-1) ?? known?.last, characters, servedAtMs, asked: known?.asked };
    if (entry.last !== undefined && characters <= this.maxCharacters) this.put(sid, entry);
    return entry;
  }

  private take(sid: string): Entry | undefined {
    const entry = this.entries.get(sid);
    if (!entry) return undefined;
    this.entries.delete(sid);
    this.characters -= entry.characters;
    return entry;
  }

  private put(sid: string, entry: Entry): void {
    this.take(sid); // another step of the session may have been served meanwhile
    this.entries.set(sid, entry);
    this.characters += entry.characters;
    for (const [oldest, { servedAtMs }] of this.entries) {
      if (this.characters <= this.maxCharacters && servedAtMs > this.now() - KEPT_MS) break;
      this.take(oldest);
    }
  }
}

async function parseAll(texts: readonly string[]): Promise<HistoryItem[]> {
  const items: HistoryItem[] = [];
  let parsed = 0;
  for (const text of texts) {
    items.push(JSON.parse(text) as HistoryItem);
    if ((parsed += text.length) < SLICE_CHARACTERS) continue;
    parsed = 0;
    await nextTurn();
  }
  return items;
}
