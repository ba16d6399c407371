import type { Usage } from '@codelab/llm';
import {
  childOf,
  readTraceparent,
  type RecordedSpan,
  type TraceContext,
  type Tracing,
  wallClock,
  writeTraceparent,
} from '@codelab/tracing';
import type { Attempt } from '../chain/ask-chain.js';
import type { Trace } from '../serve/route.js';

/** A request for a model in its trace: a span of its own, and one for each time that an upstream is asked. */
export class RequestTrace implements Trace {
  readonly id: string;
  readonly traceparent: string;
  private readonly context: TraceContext;
  private readonly parent: TraceContext | undefined;
  private readonly startMs = wallClock();
  private attempts = 0;

  /** @param traceparent of whoever asks */
  constructor(
    private readonly tracing: Tracing,
    traceparent: unknown,
  ) {
    this.parent = readTraceparent(traceparent);
    this.context = tracing.begin(this.parent);
    this.id = this.context.traceId;
    this.traceparent = writeTraceparent(this.context);
  }

  /** An upstream was asked: its answer has begun, or it refused. */
  readonly onAttempt = ({ target, durationMs, error }: Attempt): void => {
    const { upstream, model } = target;
    this.attempts += 1;
    const endMs = wallClock();
    this.tracing.record({
      name: `POST ${upstream.name}`,
      ...{ kind: 'client', context: childOf(this.context, `${this.context.spanId} ${this.attempts}`), parentSpanId: this.context.spanId },
      ...{ startMs: endMs - durationMs, endMs },
      attributes: { 'gen_ai.provider.name': upstream.name, 'gen_ai.request.model': model, 'codelab.attempt': this.attempts },
      error: error?.code,
    });
  };

  /** The request is over. */
  end(span: Pick<RecordedSpan, 'name' | 'kind' | 'attributes' | 'error'>): void {
    const { context, parent, startMs } = this;
    this.tracing.record({ ...span, context, parentSpanId: parent?.spanId, startMs, endMs: wallClock() });
  }
}

/** What was used, as the conventions for generative AI name it. */
export const usageAttributes = (usage: Usage | undefined): NonNullable<RecordedSpan['attributes']> => ({
  'gen_ai.usage.input_tokens': usage?.inputTokens,
  'gen_ai.usage.output_tokens': usage?.outputTokens,
  'gen_ai.usage.cache_read.input_tokens': usage?.cachedInputTokens,
  'codelab.cost_usd': usage?.costUsd,
});
