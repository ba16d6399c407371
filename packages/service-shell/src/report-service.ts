import { randomBytes } from 'node:crypto';
import {
  SERVICE_REPORT_PAUSE_MS,
  type ReportedHistogram,
  type ReportedSetting,
  type ServiceReport,
  type ServiceReports,
} from '@codelab/bus';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { ServiceConfig } from './config/service-config.js';
import { settingsOf } from './config/setting.js';
import type { ServiceContext } from './service-definition.js';

/** What prom-client measures of the process itself: only these few of it are reported. */
const PROCESS = /^codelab_(?:process|nodejs)_/;
const OF_PROCESS: ReadonlySet<string> = new Set([
  ...['codelab_process_resident_memory_bytes', 'codelab_process_cpu_seconds_total', 'codelab_nodejs_eventloop_lag_p99_seconds'],
]);

/** Has a process say of itself how it is, every 5 s while it runs. What can't be stored now is said with the next. */
export function reportService<C extends ServiceConfig>(
  context: ServiceContext<C>,
  reports: Pick<ServiceReports, 'publish' | 'withdraw'>,
): void {
  const { drain, logger } = context;
  const replica = randomBytes(6).toString('hex');
  const startedAtMs = Date.now();
  const settings = readSettings(context.config);
  let isStopping = false;
  const publish = async (): Promise<void> => {
    try {
      const report = await describe(context, { replica, startedAtMs, settings });
      if (!isStopping) await reports.publish(report);
    } catch (error) {
      if ((error as Error).name !== 'BusError') logger.warn({ event: 'report.failed', message: String(error) });
    }
  };
  const timer = setInterval(() => void publish(), SERVICE_REPORT_PAUSE_MS);
  timer.unref();
  const stop = context.readiness.onChange(() => void publish()); // ready: who looks at once finds it
  drain.on('stop', 'report', async () => {
    isStopping = true;
    stop();
    clearInterval(timer);
    await reports.withdraw(replica).catch(() => undefined); // the store is away: it is forgotten by itself
  });
}

async function describe(
  { identity, metrics, readiness }: ServiceContext,
  about: Pick<ServiceReport, 'replica' | 'startedAtMs' | 'settings'>,
): Promise<ServiceReport> {
  const all = (await metrics.getMetricsAsJSON()) as unknown as readonly MetricObjectWithValues<MetricValue<string>>[];
  const shown = all.filter(({ name }) => !PROCESS.test(name) || OF_PROCESS.has(name));
  const numbers = shown
    .filter(({ type, values }) => isNumber(type) && !hasLimits(values))
    .map(({ name, values }) => [name, sumOf(values)] as const);
  return {
    ...about,
    ...{ service: identity.name, version: identity.version, atMs: Date.now(), waitingFor: readiness.waitingFor },
    numbers: Object.fromEntries(numbers),
    histograms: shown.filter(({ type }) => String(type) === 'histogram').map(toHistogram),
  };
}

const isNumber = (type: unknown): boolean => String(type) === 'gauge' || String(type) === 'counter';

/** What may be, of this or of that, has no sum. */
const hasLimits = (values: readonly MetricValue<string>[]): boolean => values.some(({ labels }) => 'of' in labels);

const sumOf = (values: readonly MetricValue<string>[]): number => values.reduce((sum, { value }) => sum + value, 0);

/** Added up over its labels: which model, which provider is for Prometheus. */
function toHistogram({ name, help, values }: MetricObjectWithValues<MetricValue<string>>): ReportedHistogram {
  const counts = new Map<number | null, number>();
  const total = { sum: 0, count: 0 };
  for (const { labels, value, ...more } of values) {
    const { metricName } = more as { readonly metricName?: string };
    if (metricName === `${name}_sum`) total.sum += value;
    else if (metricName === `${name}_count`) total.count += value;
    else {
      const { le } = labels as { readonly le?: number | string };
      const bound = le === undefined || le === '+Inf' ? null : Number(le);
      counts.set(bound, (counts.get(bound) ?? 0) + value);
    }
  }
  const buckets = [...counts].map(([le, count]) => ({ le, count })).sort((one, other) => (one.le ?? Infinity) - (other.le ?? Infinity));
  return { name, help, buckets, ...total };
}

/** The settings of a process, secrets by whether they are there. */
export function readSettings(config: ServiceConfig): readonly ReportedSetting[] {
  return settingsOf(config.constructor as new () => object).map(({ env, meaning, property, secret }) => {
    const value = Reflect.get(config, property) as string | number | boolean | readonly string[] | undefined; // what settings can be
    const isSet = value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
    if (secret === true) return { name: env, meaning, secret, isSet };
    return {
      name: env,
      meaning,
      isSet,
      ...(isSet ? { value: maskCredentials(Array.isArray(value) ? value.join(',') : String(value)) } : {}),
    };
  });
}

/** A name and password in an address are a secret, whatever the setting is for. */
const maskCredentials = (value: string): string => value.replace(/(?<=[a-z]:\/\/)[^/?#,\s]*@/gi, '***@');
