import type { Logger } from '@codelab/service-shell';
import type { HttpMetrics } from '../metrics-http.js';
import type { EndedRequest, RequestWatcher } from './http-api.js';

/** One line and the metrics for each request of the HTTP API. Nothing in them is content (L1). */
export function watchRequests(logger: Logger, metrics: HttpMetrics): RequestWatcher {
  const lines = logger.child({}, { redact: [] }); // every field is one of ours, and looking for keys in them costs more than writing them
  return {
    begun: () => metrics.begun(),
    ended: (ended) => {
      const { answer, status, durationMs } = ended;
      metrics.ended({ facts: answer.facts, status, durationMs });
      if (lines.isLevelEnabled('info')) lines.info(toLine(ended));
    },
    fault: (requestId, error) => {
      const { name, stack = '' } = error instanceof Error ? error : new Error('not an error');
      const at = stack.split('\n').filter((line) => /^\s+at /.test(line));
      // its message can quote what it stumbled over; where it happened says enough
      logger.error({ event: 'request.fault', request_id: requestId, name, at: at.slice(0, 8).map((line) => line.trim()) });
    },
  };
}

function toLine({ requestId, traceId, method, route, status, durationMs, answer: { facts } }: EndedRequest): object {
  const { dialect, upstream, model, stream, usage, estimated, attempts, sessionId, error } = facts;
  return {
    event: 'request.ended',
    ...{ request_id: requestId, trace_id: traceId, method, route, status, error },
    ...{ dialect, upstream, model, stream, attempts, session_id: sessionId, usage, estimated },
    duration_ms: round(durationMs),
    first_byte_ms: round(facts.firstByteMs),
    upstream_ms: round(facts.upstreamMs),
  };
}

const round = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : Math.round(ms * 100) / 100);
