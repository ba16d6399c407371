import { useMemo } from 'react';
import { toBytes, toDuration, toShort, toSpan, toWhole } from '../../parts/format.js';
import { Loading, Table, type Column } from '../../parts/list-view.js';
import { Page } from '../../parts/page.js';
import { BarPlot } from '../../parts/plot.js';
import { Tag } from '../../parts/tag.js';
import { TroubleBox } from '../../parts/trouble-box.js';
import { Ago } from '../../parts/when.js';
import { useResource } from '../../resource/use-resource.js';
import { readServices, type QueueDepth, type ServiceReport, type Services } from '../../rest/services.js';
import { quantile, spreadsOf, type Spread } from './histogram-sums.js';

const REFRESH_MS = 5_000;

/** How the services do: what they say of themselves through Redis. */
export function ServicesPage() {
  const services = useResource('services', readServices, { everyMs: REFRESH_MS });
  return (
    <Page
      title="Health"
      about="What each process reports of itself every few seconds; one that falls silent is gone from here after 15 s."
      wide
    >
      {services.trouble && <TroubleBox trouble={services.trouble} onRetry={services.reload} />}
      {services.value ? <Health {...services.value} /> : !services.trouble && <Loading />}
    </Page>
  );
}

function Health({ services, queues }: Services) {
  const spreads = useMemo(() => spreadsOf(services), [services]);
  return (
    <>
      <h2>Services</h2>
      <Table label="Services" columns={SERVICE_COLUMNS} items={services} keyOf={({ replica }) => replica} />
      <h2>Queues</h2>
      {queues.length === 0 ? (
        <p className="co-muted">Nothing waits.</p>
      ) : (
        <Table label="Queues" columns={QUEUE_COLUMNS} items={queues} keyOf={({ queue, shard }) => `${queue} ${shard}`} />
      )}
      <h2>Latencies</h2>
      {spreads.length === 0 ? (
        <p className="co-muted">Nothing was measured yet.</p>
      ) : (
        <>
          <div className="co-plots">
            {spreads.map((spread) => (
              <SpreadPlot key={spread.name} spread={spread} />
            ))}
          </div>
          <Table label="Latencies" columns={SPREAD_COLUMNS} items={spreads} keyOf={({ name }) => name} />
        </>
      )}
    </>
  );
}

const SERVICE_COLUMNS: readonly Column<ServiceReport>[] = [
  { name: 'Service', show: ({ service }) => <strong>{service}</strong> },
  {
    name: 'State',
    show: ({ waiting_for: things }) =>
      things.length === 0 ? <Tag tone="good">ready</Tag> : <Tag tone="warn">waits for {things.join(', ')}</Tag>,
  },
  { name: 'Replica', minor: true, show: ({ replica }) => <code>{replica}</code> },
  { name: 'Version', minor: true, show: ({ version }) => version },
  { name: 'Up', number: true, show: ({ started_at_ms: from, at_ms: atMs }) => toSpan(atMs - from) },
  { name: 'Heard', number: true, minor: true, show: ({ at_ms: atMs }) => <Ago atMs={atMs} /> },
  { name: 'Memory', number: true, show: ({ numbers }) => toBytes(numbers['codelab_process_resident_memory_bytes'] ?? 0) },
  {
    name: 'Loop lag',
    number: true,
    minor: true,
    show: ({ numbers }) => toDuration(1_000 * (numbers['codelab_nodejs_eventloop_lag_p99_seconds'] ?? 0)),
  },
  { name: 'Numbers', wide: true, show: (report) => <Numbers report={report} /> },
];

/** Counters and gauges that say something, without what all of their names begin with. */
function Numbers({ report: { numbers } }: { report: ServiceReport }) {
  const all = Object.entries(numbers).filter(([name, value]) => value !== 0 && !IN_COLUMNS.test(name));
  return (
    <ul className="co-numbers">
      {all.map(([name, value]) => (
        <li key={name}>
          <span className="co-faint">{shorten(name)}</span> {/_bytes/.test(name) ? toBytes(value) : toShort(value)}
        </li>
      ))}
    </ul>
  );
}

const IN_COLUMNS = /^codelab_(process|nodejs)_/;
const shorten = (name: string): string =>
  name
    .replace(/^codelab_(gateway_|runtime_|llm_proxy_)?/, '')
    .replace(/_total$/, '')
    .replaceAll('_', ' ');

const QUEUE_COLUMNS: readonly Column<QueueDepth>[] = [
  { name: 'Queue', wide: true, show: ({ queue }) => queue },
  { name: 'Shard', number: true, minor: true, show: ({ shard }) => shard },
  { name: 'In it', number: true, show: ({ depth }) => toWhole(depth) },
  { name: 'Waiting', number: true, show: ({ waiting }) => toWhole(waiting) },
  { name: 'Oldest', number: true, show: ({ lag_ms: ms }) => (ms === 0 ? '' : toDuration(ms)) },
];

/** Bounds are seconds in metrics whose name says so, else milliseconds. */
const showBound = (name: string, bound: number | null): string => {
  if (bound === null) return 'more';
  return /seconds/.test(name) ? toDuration(bound * 1_000) : /_ms|milliseconds/.test(name) ? toDuration(bound) : toShort(bound);
};

const titleOf = ({ name }: Spread): string =>
  name
    .replace(/^codelab_/, '')
    .replace(/_(seconds|ms|milliseconds)$/, '')
    .replaceAll('_', ' ');

function SpreadPlot({ spread }: { spread: Spread }) {
  const data = useMemo(
    () => ({
      names: spread.bars.map(({ upTo }) => (upTo === null ? 'more' : `≤ ${showBound(spread.name, upTo)}`)),
      series: [{ label: 'observations', values: spread.bars.map(({ count }) => count) }],
      show: toShort,
      isCount: true,
    }),
    [spread],
  );
  return <BarPlot label={titleOf(spread)} data={data} />;
}

const SPREAD_COLUMNS: readonly Column<Spread>[] = [
  {
    name: 'What',
    wide: true,
    show: (spread) => (
      <>
        {titleOf(spread)}
        <span className="co-faint co-reason">{spread.help}</span>
      </>
    ),
  },
  { name: 'Count', number: true, show: ({ count }) => toWhole(count) },
  { name: 'Mean', number: true, show: (spread) => showBound(spread.name, spread.sum / spread.count) },
  { name: 'Half under', number: true, show: (spread) => showBound(spread.name, quantile(spread, 0.5)) },
  { name: '99 % under', number: true, show: (spread) => showBound(spread.name, quantile(spread, 0.99)) },
];
