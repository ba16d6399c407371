import type { IncomingMessage, ServerResponse } from 'node:http';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { OutboxBudget } from '../core/outbox/outbox-budget.js';
import type { Counts, GatewayStats } from '../core/stats.js';

/** Shows what the core counts as `codelab_gateway_…`, whenever somebody asks. */
export function registerMetrics(registry: Registry, stats: GatewayStats, budget: OutboxBudget): void {
  const registers = [registry];
  const counter = (name: string, help: string, label: string, counts: Counts): void =>
    void new Counter({
      ...{ name: `codelab_gateway_${name}_total`, help, labelNames: [label], registers },
      collect() {
        this.reset();
        for (const [value, count] of counts.entries()) this.inc({ [label]: value }, count);
      },
    });
  const total = (name: string, help: string, read: () => number): void =>
    void new Counter({
      ...{ name: `codelab_gateway_${name}_total`, help, registers },
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  const gauge = (name: string, help: string, read: () => number): void =>
    void new Gauge({
      ...{ name: `codelab_gateway_${name}`, help, registers },
      collect() {
        this.set(read());
      },
    });

  counter('frames_received', 'Client frames by type; unreadable ones as `invalid`.', 'type', stats.framesReceived);
  counter('frames_sent', 'Server frames by type.', 'type', stats.framesSent);
  counter('refusals', 'Refused frames, upgrades and requests by code.', 'code', stats.refusals);
  counter('closings', 'Connections that the gateway ended, by reason.', 'reason', stats.closings);
  total('feed_gaps', 'Frames that a feed skipped and the log was read for.', () => stats.feedGaps);
  total('resyncs', 'Readers that were too slow and began again.', () => stats.resyncs);
  gauge('sessions', 'Sessions that a connection of this process watches.', () => stats.rooms);
  gauge('outbox_bytes', 'Bytes that wait to be written to sockets.', () => budget.bytes);
  void new Gauge({
    ...{ name: 'codelab_gateway_connections', help: 'Open connections by kind.', labelNames: ['kind'], registers },
    collect() {
      for (const [kind, count] of Object.entries(stats.connections)) this.set({ kind }, count);
    },
  });
}

/** Seconds. A long poll takes as long as it was asked to wait. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30];

/** Measures requests to REST, from their arrival to the end of their answer. */
export function measureRequests(registry: Registry): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  const help = 'From the arrival of a request to REST to the end of its answer.';
  const seconds = new Histogram({ name: 'codelab_gateway_request_seconds', help, buckets: BUCKETS, registers: [registry] });
  return (_request, response, next) => {
    const observe = seconds.startTimer();
    response.once('close', () => observe());
    next();
  };
}
