import type { QueueDepth, ServiceReports } from '@codelab/bus';
import { Gauge, type Registry } from 'prom-client';

const QUEUES = ['sessions', 'models'] as const;

/**
 * Shows how much work waits in Redis, and for how long: what replicas are scaled by. Every gateway says the same of the whole stack, so take the
 * largest, not the sum.
 */
export function registerQueueMetrics(registry: Registry, reports: Pick<ServiceReports, 'readQueues'>): void {
  const gauge = (name: string, help: string): Gauge =>
    new Gauge({ name: `codelab_queue_${name}`, help, labelNames: ['queue'], registers: [registry] });
  const waiting = gauge('waiting', 'Work that nobody has taken: sessions whose time has come, or model requests.');
  const lag = gauge('lag_seconds', 'How long the oldest of what waits has waited.');
  void new Gauge({
    name: 'codelab_queue_depth',
    help: 'Sessions with work or with a deadline to come; model requests that wait or run.',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      const parts = await reports.readQueues().catch(() => undefined); // away: what was known last
      if (parts === undefined) return;
      for (const queue of QUEUES) {
        const { depth, waits, lagMs } = sumUp(parts.filter((part) => part.queue === queue));
        this.set({ queue }, depth);
        waiting.set({ queue }, waits);
        lag.set({ queue }, lagMs / 1_000);
      }
    },
  });
}

const sumUp = (parts: readonly QueueDepth[]) => ({
  depth: parts.reduce((sum, part) => sum + part.depth, 0),
  waits: parts.reduce((sum, part) => sum + part.waiting, 0),
  lagMs: Math.max(0, ...parts.map((part) => part.lagMs)),
});
