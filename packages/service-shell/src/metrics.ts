import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { UnauthenticatedSockets } from './sockets/unauthenticated-sockets.js';

/** A registry of this process: `codelab_process_…` and `codelab_nodejs_…` as prom-client measures them, each labelled with the service. */
export function createMetrics(service: string): Registry {
  const metrics = new Registry();
  metrics.setDefaultLabels({ service });
  collectDefaultMetrics({ register: metrics, prefix: 'codelab_' });
  return metrics;
}

/** Shows how many sockets have not authenticated, and how many were closed for want of a place. */
export function countSockets(metrics: Registry, sockets: UnauthenticatedSockets): void {
  const registers = [metrics];
  void new Gauge({
    ...{ name: 'codelab_sockets_unauthenticated', help: 'Open sockets that have shown no good token yet.', registers },
    collect() {
      this.set(sockets.size);
    },
  });
  void new Counter({
    ...{ name: 'codelab_sockets_refused_total', help: 'Sockets that were closed because too many had not authenticated.', registers },
    collect() {
      this.reset();
      this.inc(sockets.refused);
    },
  });
}
