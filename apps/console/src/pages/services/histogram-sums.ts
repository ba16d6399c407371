import type { Histogram, ServiceReport } from '../../rest/services.js';

/** Observations between two bounds. */
export interface Bar {
  /** The higher bound; null: none. */
  readonly upTo: number | null;
  readonly count: number;
}

/** One histogram over all processes that have it. */
export interface Spread {
  readonly name: string;
  readonly help: string;
  readonly bars: readonly Bar[];
  readonly count: number;
  readonly sum: number;
}

/** Puts together what all processes say under one name; those that observed nothing are left out. */
export function spreadsOf(services: readonly ServiceReport[]): readonly Spread[] {
  const byName = new Map<string, Histogram[]>();
  for (const histogram of services.flatMap(({ histograms }) => histograms))
    byName.set(histogram.name, [...(byName.get(histogram.name) ?? []), histogram]);
  return [...byName.values()]
    .map(toSpread)
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.name.localeCompare(b.name));
}

function toSpread(histograms: readonly Histogram[]): Spread {
  const cumulative = new Map<number | null, number>();
  for (const { buckets } of histograms) for (const { le, count } of buckets) cumulative.set(le, (cumulative.get(le) ?? 0) + count);
  const bounds = [...cumulative.keys()].sort((a, b) => (a ?? Infinity) - (b ?? Infinity));
  const bars = bounds.map((upTo, index) => {
    const below = index === 0 ? 0 : (cumulative.get(bounds[index - 1] ?? null) ?? 0);
    return { upTo, count: Math.max(0, (cumulative.get(upTo) ?? 0) - below) };
  });
  const first = histograms[0]!; // a group has at least one
  const sumOf = (pick: (histogram: Histogram) => number): number => histograms.reduce((sum, each) => sum + pick(each), 0);
  return { name: first.name, help: first.help, bars: trim(bars), count: sumOf(({ count }) => count), sum: sumOf(({ sum }) => sum) };
}

/** Without the empty bars at both ends. */
function trim(bars: readonly Bar[]): readonly Bar[] {
  const first = bars.findIndex(({ count }) => count > 0);
  const last = bars.findLastIndex(({ count }) => count > 0);
  return first === -1 ? [] : bars.slice(Math.max(0, first - 1), last + 1);
}

/** The bound under which this share of the observations is, by the histogram's own steps; null where it is above all bounds. */
export function quantile({ bars, count }: Spread, share: number): number | null {
  let seen = 0;
  for (const bar of bars) {
    seen += bar.count;
    if (seen >= share * count) return bar.upTo;
  }
  return null;
}
