import type { Ledger, UsageCounts, UsageRow } from '@codelab/bus';
import type { Exchange, Route } from '../serve/route.js';
import { readDays, readWord, whileRedisCounts } from './read-query.js';

/** How long usage is kept. */
const MOST_DAYS = 400;

const GROUPS = ['model', 'session', 'key', 'day'] as const;
type Group = (typeof GROUPS)[number];

/** What a row is named by: the field, and its value. */
const NAMES: Readonly<Record<Group, (row: UsageRow, key: string) => readonly [field: string, name: string | null]>> = {
  model: ({ model }) => ['model', model],
  session: ({ sessionId }) => ['session_id', sessionId === '' ? null : sessionId],
  key: (_row, key) => ['key', key],
  day: ({ day }) => ['day', day],
};

export interface UsagePorts {
  readonly ledger: Pick<Ledger, 'readUsage'>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * `GET /v1/usage?from=2026-11-01&to=2026-11-30&group_by=model|session|key|day`: what the caller used, on days of UTC, both included; without
 * `from` and `to` the last 30 days, without `group_by` by model. At most 400 days.
 *
 * Answers `{object: "usage", from, to, group_by, totals, rows}`. `totals` and each row have `requests`, `estimated_requests` (of these: counted
 * by our estimate, because the provider didn't tell), `input_tokens` (all of them), `cached_input_tokens` and `cache_write_tokens` (of the
 * input), `output_tokens`, `reasoning_tokens` (of the output) and `cost_usd`, in which models without a price count nothing. A row has
 * `model`, `session_id` (null: of no session), `key` (`tenant/subject`) or `day`; days in their order, else the most expensive first.
 */
export const usageRoutes = (ports: UsagePorts): readonly Route[] => [
  { method: 'GET', path: '/v1/usage', scope: 'llm', handle: (exchange) => whileRedisCounts(() => showUsage(exchange, ports)) },
];

async function showUsage(exchange: Exchange, { ledger, now }: UsagePorts): Promise<void> {
  const { caller, url } = exchange;
  const days = readDays(url.searchParams, { nowMs: now(), most: MOST_DAYS });
  const group = readWord(url.searchParams, 'group_by', GROUPS);
  const rows = await ledger.readUsage(caller.owner, days);
  exchange.reply(200, {
    ...{ object: 'usage', ...days, group_by: group, totals: toJson(sum(rows)) },
    rows: groupRows(rows, group, `${caller.owner.tenant}/${caller.owner.sub}`),
  });
}

function groupRows(rows: readonly UsageRow[], group: Group, key: string): readonly object[] {
  const groups = new Map<string | null, UsageRow[]>();
  for (const row of rows) {
    const [, name] = NAMES[group](row, key);
    const known = groups.get(name);
    if (known) known.push(row);
    else groups.set(name, [row]);
  }
  const summed = [...groups].map(([name, some]) => ({ name, total: sum(some), field: NAMES[group](some[0]!, key)[0] }));
  const byName = (one: (typeof summed)[number], other: (typeof summed)[number]): number => ((one.name ?? '') < (other.name ?? '') ? -1 : 1);
  summed.sort((one, other) => (group === 'day' ? byName(one, other) : weigh(other.total) - weigh(one.total) || byName(one, other)));
  return summed.map(({ name, total, field }) => ({ [field]: name, ...toJson(total) }));
}

/** By cost, and by tokens where nothing has a price. */
const weigh = ({ costUsd, inputTokens, outputTokens }: UsageCounts): number => costUsd * 1e9 + (inputTokens + outputTokens) / 1e9;

const sum = (rows: readonly UsageCounts[]): UsageCounts => ({
  requests: add(rows, 'requests'),
  estimatedRequests: add(rows, 'estimatedRequests'),
  inputTokens: add(rows, 'inputTokens'),
  cachedInputTokens: add(rows, 'cachedInputTokens'),
  cacheWriteTokens: add(rows, 'cacheWriteTokens'),
  outputTokens: add(rows, 'outputTokens'),
  reasoningTokens: add(rows, 'reasoningTokens'),
  costUsd: add(rows, 'costUsd'),
});

const add = (rows: readonly UsageCounts[], name: keyof UsageCounts): number => rows.reduce((total, row) => total + row[name], 0);

const toJson = (counts: UsageCounts): object => ({
  requests: counts.requests,
  estimated_requests: counts.estimatedRequests,
  input_tokens: counts.inputTokens,
  cached_input_tokens: counts.cachedInputTokens,
  cache_write_tokens: counts.cacheWriteTokens,
  output_tokens: counts.outputTokens,
  reasoning_tokens: counts.reasoningTokens,
  cost_usd: Math.round(counts.costUsd * 1e9) / 1e9, // sums of floats have tails
});
