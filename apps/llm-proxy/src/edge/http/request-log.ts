import type { Logger } from '@codelab/service-shell';
import type { HttpMetrics } from '../metrics-http.js';
import type { EndedRequest, RequestWatcher } from './http-api.js';

/** How long the ends of requests are collected. */
const COLLECT_MS = 50;

/** More are not held. */
const MAX_COLLECTED = 500;

/**
 * One line and the metrics for each request of the HTTP API. Nothing in them is content (L1).
 *
 * The ends of requests are collected for a moment and told together: code that runs once between two requests finds nothing of itself in
 * the processor's caches, and cost as much as the request.
 */
export class RequestLog implements RequestWatcher {
  private readonly lines: Logger;
  private collected: EndedRequest[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly logger: Logger,
    private readonly metrics: Pick<HttpMetrics, 'begun' | 'ended'>,
  ) {
    this.lines = logger.child({}, { redact: [] }); // every field is one of ours: looking for keys in them costs more than writing them
  }

  begun(): void {
    this.metrics.begun();
  }

  ended(request: EndedRequest): void {
    this.collected.push(request);
    if (this.collected.length >= MAX_COLLECTED) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), COLLECT_MS).unref();
  }

  fault(requestId: string, error: unknown): void {
    const { name, stack = '' } = error instanceof Error ? error : new Error('not an error');
    const at = stack.split('\n').filter((line) => /^\s+at /.test(line));
    // its message can quote what it stumbled over; where it happened says enough
    this.logger.error({ event: 'request.fault', request_id: requestId, name, at: at.slice(0, 8).map((line) => line.trim()) });
  }

  /** Tells what was collected. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const isLogged = this.lines.isLevelEnabled('info');
    for (const request of this.collected.splice(0)) {
      this.metrics.ended(request);
      if (isLogged) this.lines.info(toLine(request));
    }
  }
}

function toLine({ requestId, traceId, method, route, status, durationMs, facts }: EndedRequest): object {
  const { dialect, upstream, model, stream, usage, estimated, attempts, sessionId, notes, error } = facts;
  return {
    event: 'request.ended',
    ...{ request_id: requestId, trace_id: traceId, method, route, status, error },
    ...{ dialect, upstream, model, stream, attempts, session_id: sessionId, notes },
    ...{ input_tokens: usage?.inputTokens, cached_input_tokens: usage?.cachedInputTokens, output_tokens: usage?.outputTokens },
    ...{ cost_usd: usage?.costUsd, estimated },
    ...{ duration_ms: round(durationMs), first_byte_ms: round(facts.firstByteMs), upstream_ms: round(facts.upstreamMs) },
  };
}

const round = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : Math.round(ms * 100) / 100);
