import type { IndexStore } from '../store/index-store.js';

/** How common terms are changes slowly, and to count a common one takes milliseconds. */
const KEPT_MS = 5 * 60_000;
const MAX_KEPT = 50_000;

/** How many chunks there are, and how many of them have a term: lately, which is good enough to weigh it. */
export class TermStatistics {
  private readonly frequencies = new Map<string, number>();
  private chunks = 0;
  private countedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly store: IndexStore) {}

  get total(): number {
    if (performance.now() - this.countedAt > KEPT_MS) {
      this.frequencies.clear();
      this.chunks = this.store.counts().chunks;
      this.countedAt = performance.now();
    }
    return Math.max(1, this.chunks);
  }

  frequencyOf(term: string): number {
    const known = this.frequencies.get(term);
    if (known !== undefined && known > 0) return known;
    const frequency = this.store.frequencyOf(term);
    if (this.frequencies.size >= MAX_KEPT) this.frequencies.clear();
    this.frequencies.set(term, frequency);
    return frequency;
  }
}

const statistics = new WeakMap<IndexStore, TermStatistics>();

/** The statistics of an index. */
export function termStatistics(store: IndexStore): TermStatistics {
  let found = statistics.get(store);
  if (found === undefined) {
    found = new TermStatistics(store);
    statistics.set(store, found);
  }
  return found;
}
