import { TOOL_ERRORS } from '@codelab/protocol';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { CommitFailure, RuntimeMeter } from '../core/session/runtime-ports.js';
import type { TurnEvent } from '../core/turn/step-builder.js';

/** Steps whose answer is waited for; beyond, the oldest is no longer measured. */
const MAX_MEASURED_STEPS = 10_000;

/** Seconds: a local model answers in milliseconds, a thinking one in minutes. */
const STEP_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** A client can answer with any code; a label has few values. */
const toLabel = (outcome: string): string => (outcome === 'ok' || Object.hasOwn(TOOL_ERRORS, outcome) ? outcome : 'other');

/** The runtime's metrics, `codelab_runtime_…`. */
export class PrometheusMeter implements RuntimeMeter {
  private readonly turns: Counter;
  private readonly steps: Counter;
  private readonly stepSeconds: Histogram;
  private readonly calls: Counter;
  private readonly commitFailures: Counter;
  private readonly sweeps: Counter;
  private readonly sweptSessions: Counter;
  private readonly faults: Counter;
  private readonly askedAtMs = new Map<string, number>();

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    const counter = (name: string, help: string, labelNames: string[] = []): Counter =>
      new Counter({ name: `codelab_runtime_${name}_total`, help, labelNames, registers });
    this.turns = counter('turns', 'Turns that ended, by status.', ['status']);
    this.steps = counter('steps', 'Model requests that came to an end, by outcome.', ['outcome']);
    this.calls = counter('calls', 'Tool calls that got their result, by outcome: ok or the code of the error.', ['outcome']);
    this.commitFailures = counter('commit_failures', 'Commits that were not taken: fenced, stale (computed again) or unavailable.', [
      'why',
    ]);
    this.sweeps = counter('sweeps', 'Sweeps over the sessions with work.');
    this.sweptSessions = counter('swept_sessions', 'Sessions that a sweep found due.');
    this.faults = counter('faults', 'Steps that could not be computed; their turn failed.');
    this.stepSeconds = new Histogram({
      name: 'codelab_runtime_step_seconds',
      help: 'From the model request to the commit that takes its answer.',
      buckets: STEP_BUCKETS,
      registers,
    });
  }

  count(events: readonly TurnEvent[], nowMs: number): void {
    for (const event of events) this.countOne(event, nowMs);
  }

  commitFailed(why: CommitFailure): void {
    this.commitFailures.inc({ why });
  }

  swept(sessions: number): void {
    this.sweeps.inc();
    this.sweptSessions.inc(sessions);
  }

  /** Shows how many sessions are held, whenever somebody asks. */
  watchHotSessions(read: () => number): void {
    new Gauge({
      name: 'codelab_runtime_hot_sessions',
      help: 'Sessions that this process holds the lease of.',
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  private countOne(event: TurnEvent, nowMs: number): void {
    switch (event.kind) {
      case 'turn_ended':
        return this.turns.inc({ status: event.status });
      case 'model_asked':
        return this.begin(event.stepId, nowMs);
      case 'model_answered':
        return this.end(event.stepId, 'answered', nowMs);
      case 'model_failed':
        return this.end(event.stepId, event.code, nowMs);
      case 'call_settled':
        return this.calls.inc({ outcome: toLabel(event.outcome) });
      case 'use_fault':
      case 'fault':
        return this.faults.inc();
      case 'turn_started':
      case 'ignored':
        return;
    }
  }

  private begin(stepId: string, nowMs: number): void {
    this.askedAtMs.set(stepId, nowMs);
    if (this.askedAtMs.size > MAX_MEASURED_STEPS) this.askedAtMs.delete(this.askedAtMs.keys().next().value ?? '');
  }

  private end(stepId: string, outcome: string, nowMs: number): void {
    this.steps.inc({ outcome });
    const askedAtMs = this.askedAtMs.get(stepId);
    if (askedAtMs === undefined) return; // another runtime asked
    this.askedAtMs.delete(stepId);
    this.stepSeconds.observe((nowMs - askedAtMs) / 1_000);
  }
}
