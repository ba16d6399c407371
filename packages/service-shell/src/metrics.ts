import { collectDefaultMetrics, Registry } from 'prom-client';

/** A registry of this process: `codelab_process_…` and `codelab_nodejs_…` as prom-client measures them, each labelled with the service. */
export function createMetrics(service: string): Registry {
  const metrics = new Registry();
  metrics.setDefaultLabels({ service });
  collectDefaultMetrics({ register: metrics, prefix: 'codelab_' });
  return metrics;
}
