import { useMemo, useState } from 'react';
import { ChoiceField, Filters } from '../../parts/filters.js';
import { toDollars, toShort, toWhole } from '../../parts/format.js';
import { Loading, Table, type Column } from '../../parts/list-view.js';
import { Page } from '../../parts/page.js';
import { BarPlot } from '../../parts/plot.js';
import { TroubleBox } from '../../parts/trouble-box.js';
import { useResource } from '../../resource/use-resource.js';
import { ask, withQuery } from '../../rest/ask.js';
import { sessionPath } from '../../rest/sessions.js';
import { Link } from '../../router/link.js';
import { daysBetween, sumBy, tokensOf, toSeries, total, type GroupBy, type UsageRow, type UsageSum } from './usage-sums.js';

const REFRESH_MS = 30_000;
const DAY_MS = 24 * 60 * 60_000;
const RANGES = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const;
const GROUPS = [
  ['model', 'model'],
  ['key', 'key'],
  ['session', 'session'],
  ['day', 'day'],
] as const;

const toDay = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** What was used and what it cost. */
export function UsagePage({ query }: { query: Readonly<Record<string, string>> }) {
  const range = RANGES.some(([value]) => value === query.days) ? Number(query.days) : 30;
  const by = GROUPS.find(([value]) => value === query.by)?.[0] ?? 'model';
  const [nowMs] = useState(Date.now);
  const to = toDay(nowMs);
  const from = toDay(nowMs - (range - 1) * DAY_MS);
  const address = withQuery('/api/v1/usage', { from, to, group_by: by === 'session' ? 'session' : 'model' });
  const usage = useResource(address, () => ask<{ readonly rows: readonly UsageRow[] }>('GET', address), { everyMs: REFRESH_MS });
  return (
    <Page title="Usage" about="Tokens and cost of every request, as the providers counted them. Days are those of UTC." wide>
      <Filters label="Usage">
        <ChoiceField name="days" label="Last" value={String(range)} choices={RANGES} />
        <ChoiceField name="by" label="By" value={by} choices={GROUPS} />
      </Filters>
      {usage.trouble && <TroubleBox trouble={usage.trouble} onRetry={usage.reload} />}
      {usage.value ? <Usage rows={usage.value.rows} by={by} from={from} to={to} /> : !usage.trouble && <Loading />}
    </Page>
  );
}

function Usage({ rows, by, from, to }: { rows: readonly UsageRow[]; by: GroupBy; from: string; to: string }) {
  const sum = total(rows);
  const days = useMemo(() => daysBetween(from, to), [from, to]);
  const series = by === 'day' ? 'model' : by;
  const names = useMemo(() => days.map((day) => day.slice(5)), [days]);
  const tokens = useMemo(
    () => ({ names, series: toSeries(rows, { by: series, days, valueOf: tokensOf }), show: toShort, isCount: true }),
    [rows, series, days, names],
  );
  const cost = useMemo(
    () => ({ names, series: toSeries(rows, { by: series, days, valueOf: (row) => row.cost_usd }), show: toDollars }),
    [rows, series, days, names],
  );
  return (
    <>
      <dl className="co-figures">
        <Figure name="Cost" value={toDollars(sum.cost_usd)} />
        <Figure name="Requests" value={toWhole(sum.requests)} />
        <Figure name="Input tokens" value={toShort(sum.input_tokens)} note={shareOf(sum.cached_input_tokens, sum.input_tokens)} />
        <Figure name="Output tokens" value={toShort(sum.output_tokens)} />
      </dl>
      {rows.length === 0 ? (
        <p className="co-empty">Nothing was used in these days.</p>
      ) : (
        <>
          <div className="co-plots">
            <BarPlot label="Tokens by day" data={tokens} />
            {sum.cost_usd > 0 && <BarPlot label="Cost by day" data={cost} />}
          </div>
          <Table label={`Usage by ${by}`} columns={columnsOf(by)} items={sumBy(rows, by)} keyOf={({ name }) => name} />
        </>
      )}
    </>
  );
}

const shareOf = (part: number, all: number): string | undefined => (all === 0 ? undefined : `${Math.round((part / all) * 100)} % cached`);

function Figure({ name, value, note }: { name: string; value: string; note?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value}
        {note !== undefined && <span className="co-faint"> {note}</span>}
      </dd>
    </div>
  );
}

const columnsOf = (by: GroupBy): readonly Column<UsageSum>[] => [
  {
    name: by[0]!.toUpperCase() + by.slice(1),
    wide: true,
    show: ({ name }) => (by === 'session' && name !== 'none' ? <Link to={sessionPath(name)}>{name}</Link> : name),
  },
  { name: 'Requests', number: true, show: ({ requests }) => toWhole(requests) },
  { name: 'Input', number: true, show: ({ input_tokens: tokens }) => toWhole(tokens) },
  { name: 'Cached', number: true, minor: true, show: ({ cached_input_tokens: tokens }) => toWhole(tokens) },
  { name: 'Output', number: true, show: ({ output_tokens: tokens }) => toWhole(tokens) },
  { name: 'Cost', number: true, show: ({ cost_usd: usd }) => toDollars(usd) },
];
