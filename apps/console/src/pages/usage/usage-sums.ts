import { MAX_SERIES, type PlotSeries } from '../../parts/plot.js';

/** What was used on one day by one group. */
export interface UsageRow {
  readonly day: string;
  /** Where it was asked for by model. */
  readonly model?: string;
  /** Where it was asked for by session; null: of none. */
  readonly session_id?: string | null;
  readonly key?: string;
  readonly requests: number;
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number;
}

/** By what rows are put together. */
export type GroupBy = 'model' | 'key' | 'session' | 'day';

/** Everything that one group used. */
export interface UsageSum extends Pick<UsageRow, 'requests' | 'input_tokens' | 'cached_input_tokens' | 'output_tokens' | 'cost_usd'> {
  readonly name: string;
}

const nameIn = (row: UsageRow, by: GroupBy): string =>
  (by === 'model' ? row.model : by === 'day' ? row.day : by === 'key' ? row.key : row.session_id) || 'none';

/** Sums by group: days in their order, everything else by cost, then by tokens. */
export function sumBy(rows: readonly UsageRow[], by: GroupBy): readonly UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const row of rows) {
    const name = nameIn(row, by);
    sums.set(name, add(sums.get(name) ?? { ...NOTHING, name }, row));
  }
  const sorted = [...sums.values()];
  if (by === 'day') return sorted.sort((a, b) => b.name.localeCompare(a.name));
  return sorted.sort((a, b) => b.cost_usd - a.cost_usd || tokensOf(b) - tokensOf(a));
}

/** All rows in one. */
export const total = (rows: readonly UsageRow[]): UsageSum => rows.reduce<UsageSum>(add, { ...NOTHING, name: 'All' });

const NOTHING = { requests: 0, input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_usd: 0 };

const add = (sum: UsageSum, row: UsageRow): UsageSum => ({
  name: sum.name,
  requests: sum.requests + row.requests,
  input_tokens: sum.input_tokens + row.input_tokens,
  cached_input_tokens: sum.cached_input_tokens + row.cached_input_tokens,
  output_tokens: sum.output_tokens + row.output_tokens,
  cost_usd: sum.cost_usd + row.cost_usd,
});

export const tokensOf = ({ input_tokens: input, output_tokens: output }: Pick<UsageRow, 'input_tokens' | 'output_tokens'>): number =>
  input + output;

/** The days from one to another, both included: `YYYY-MM-DD`, of UTC. */
export function daysBetween(from: string, to: string): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 24 * 60 * 60_000) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** A row of values by day for each group, the largest first; what has no colour of its own is put together at the end. */
export function toSeries(
  rows: readonly UsageRow[],
  {
    by,
    days,
    valueOf,
  }: { readonly by: Exclude<GroupBy, 'day'>; readonly days: readonly string[]; readonly valueOf: (row: UsageRow) => number },
): readonly PlotSeries[] {
  const place = new Map(days.map((day, index) => [day, index]));
  const series = new Map<string, number[]>();
  for (const row of rows) {
    const index = place.get(row.day);
    if (index === undefined) continue;
    const name = nameIn(row, by);
    const values = series.get(name) ?? days.map(() => 0);
    values[index] = (values[index] ?? 0) + valueOf(row);
    series.set(name, values);
  }
  const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const sorted = [...series].map(([label, values]) => ({ label, values })).sort((a, b) => sumOf(b.values) - sumOf(a.values));
  if (sorted.length <= MAX_SERIES) return sorted;
  const rest = sorted.splice(MAX_SERIES - 1);
  const together = days.map((_, index) => sumOf(rest.map(({ values }) => values[index] ?? 0)));
  return [...sorted, { label: `${rest.length} others`, values: together }];
}
