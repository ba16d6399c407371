import { BusError, type ClaimedStep, type ModelQueue, type Sid } from '@codelab/bus';
import type { Logger } from '@codelab/service-shell';
import { serveStep, type StepOutcome, type StepPorts } from '../core/step/serve-step.js';
import type { Tracing } from '@codelab/tracing';
import { RequestTrace, usageAttributes } from '../core/tracing/request-trace.js';
import type { ProxyMetrics } from './metrics.js';

/** What the worker needs. */
export interface WorkerPorts {
  readonly models: Pick<ModelQueue, 'consume'>;
  readonly step: StepPorts;
  readonly logger: Logger;
  /** Absent where tracing is off. */
  readonly tracing?: Tracing;
  readonly metrics: Pick<ProxyMetrics, 'begun' | 'ended'>;
}

/** Serves model requests of the queue, `concurrency` at a time. */
export class ModelWorker {
  private consumer: Promise<{ close(): Promise<void> }> | undefined;
  private closed = false;

  constructor(
    private readonly ports: WorkerPorts,
    private readonly options: { readonly consumer: string; readonly concurrency: number },
  ) {}

  /** Takes requests from now on; harmless when repeated. Before Redis is there a request would only be taken to be dropped. */
  begin(): void {
    if (this.closed) return;
    const { models, step } = this.ports;
    const historyFrom = (sid: Sid): number => step.histories.readsFrom(sid);
    this.consumer ??= models.consume((claimed) => this.serve(claimed), { ...this.options, historyFrom });
  }

  /** Takes no more; lets go of those that run, for another replica. */
  async close(): Promise<void> {
    this.closed = true;
    await (await this.consumer)?.close();
  }

  private async serve(step: ClaimedStep): Promise<void> {
    const { metrics, logger, tracing } = this.ports;
    const trace = tracing && new RequestTrace(tracing, step.request.traceparent);
    metrics.begun();
    let outcome: StepOutcome | undefined;
    try {
      outcome = await serveStep(step, trace ? { ...this.ports.step, trace } : this.ports.step);
      logEnd(outcome, step, logger);
    } catch (error) {
      throw toFault(error, step, logger);
    } finally {
      metrics.ended(outcome);
      trace?.end(toSpan(step, outcome));
    }
  }
}

/** What the trace of a request says; nothing in it is content. `outcome` is missing where the queue failed. */
function toSpan(step: ClaimedStep, outcome: StepOutcome | undefined): Parameters<RequestTrace['end']>[0] {
  const { model = step.request.model, provider, usage, attempts, firstTokenMs, outcome: what = 'fault' } = outcome ?? {};
  return {
    name: `chat ${model}`,
    kind: 'client',
    attributes: {
      ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': provider, 'gen_ai.request.model': model },
      ...{ 'gen_ai.conversation.id': step.ref.sessionId, 'codelab.turn.id': step.request.turnId, 'codelab.step.id': step.stepId },
      ...{ 'codelab.step.attempt': step.attempt, 'codelab.upstream.attempts': attempts, 'codelab.outcome': what },
      ...{ 'codelab.first_token_ms': firstTokenMs, ...usageAttributes(usage) },
    },
    error: what === 'answered' ? undefined : what,
  };
}

function logEnd(outcome: StepOutcome, step: ClaimedStep, logger: Logger): void {
  logger.info({
    event: 'step.ended',
    ...{ sid: step.ref.sid, step_id: step.stepId, attempt: step.attempt },
    ...{ provider: outcome.provider, model: outcome.model, outcome: outcome.outcome },
    ...{ duration_ms: Math.round(outcome.durationMs), first_token_ms: outcome.firstTokenMs && Math.round(outcome.firstTokenMs) },
    usage: outcome.usage,
  });
}

/**
 * What the queue is told of a fault of ours. The message of an unforeseen error stays here: it can quote what it stumbled over (L1).
 * Where it happened says enough.
 */
function toFault(error: unknown, step: ClaimedStep, logger: Logger): Error {
  if (error instanceof BusError) return error;
  const { name, stack = '' } = error instanceof Error ? error : new Error('not an error');
  const at = stack.split('\n').filter((line) => /^\s+at /.test(line));
  logger.error({ event: 'step.fault', sid: step.ref.sid, step_id: step.stepId, name, at: at.slice(0, 8).map((line) => line.trim()) });
  return new Error(`a fault in the proxy (${name})`);
}
