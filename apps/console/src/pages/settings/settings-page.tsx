import { useMemo } from 'react';
import { Icon } from '../../parts/icons.js';
import { Loading, Table, type Column } from '../../parts/list-view.js';
import { Page } from '../../parts/page.js';
import { Tag } from '../../parts/tag.js';
import { TroubleBox } from '../../parts/trouble-box.js';
import { useResource } from '../../resource/use-resource.js';
import { useMay } from '../../shell/signed-in-context.js';
import { readServices, type ServiceReport, type Setting } from '../../rest/services.js';

/** What the services run with; changed in their environment, not here. */
export function SettingsPage() {
  const mayOperate = useMay('operate');
  const services = useResource(mayOperate ? 'services' : undefined, readServices);
  return (
    <Page
      title="Settings"
      about="What each service runs with, as it says itself. They are changed in its environment, and count from its next start."
      wide
    >
      {services.trouble && <TroubleBox trouble={services.trouble} onRetry={services.reload} />}
      {!mayOperate ? <NotForYou /> : services.value ? <Settings services={services.value.services} /> : !services.trouble && <Loading />}
    </Page>
  );
}

const NotForYou = () => (
  <div className="co-empty">
    <Icon name="settings" size={28} />
    <h2>For those who run the services</h2>
    <p>
      Your token lacks the scope <code>operate</code>. Whoever runs the gateway can make one that has it.
    </p>
  </div>
);

interface Row extends Setting {
  /** Replicas that differ from the first of their service. */
  readonly differs: boolean;
}

function Settings({ services }: { services: readonly ServiceReport[] }) {
  const groups = useMemo(() => groupByService(services), [services]);
  return groups.map(([service, rows]) => (
    <section key={service}>
      <h2>{service}</h2>
      <Table label={`Settings of ${service}`} columns={COLUMNS} items={rows} keyOf={({ name }) => name} />
    </section>
  ));
}

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Setting', show: ({ name }) => <code>{name}</code> },
  { name: 'Value', show: (row) => <Value row={row} /> },
  {
    name: 'Meaning',
    wide: true,
    show: ({ meaning }) => (
      <span className="co-muted">
        <Words text={meaning} />
      </span>
    ),
  },
];

function Value({ row }: { row: Row }) {
  const { value, secret, is_set: isSet, differs } = row;
  return (
    <>
      {secret === true ? (
        <Tag>{isSet ? 'set' : 'not set'}</Tag>
      ) : value === undefined ? (
        <span className="co-faint">none</span>
      ) : (
        <code>{value}</code>
      )}
      {differs && <Tag tone="warn">replicas differ</Tag>}
    </>
  );
}

/** A sentence with `names` in it. */
function Words({ text }: { text: string }) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

function groupByService(services: readonly ServiceReport[]): readonly (readonly [string, readonly Row[]])[] {
  const names = [...new Set(services.map(({ service }) => service))];
  return names.map((name) => {
    const [first, ...others] = services.filter(({ service }) => service === name);
    const rows = (first?.settings ?? []).map((setting) => ({
      ...setting,
      differs: others.some(({ settings }) => settings?.find((other) => other.name === setting.name)?.value !== setting.value),
    }));
    return [name, rows] as const;
  });
}
