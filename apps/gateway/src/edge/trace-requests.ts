import type { IncomingMessage, ServerResponse } from 'node:http';
import { readTraceparent, type Tracing, wallClock, writeTraceparent } from '@codelab/tracing';

/** Records requests to REST, below the span that `traceparent` names. What a request begins stands below its own. */
export function traceRequests(tracing: Tracing): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  return (request, response, next) => {
    const startMs = wallClock();
    const parent = readTraceparent(request.headers.traceparent);
    const context = tracing.begin(parent);
    request.headers.traceparent = writeTraceparent(context);
    response.once('close', () => {
      const route = routeOf(request);
      const { statusCode } = response;
      tracing.record({
        name: `${request.method} ${route}`,
        ...{ kind: 'server', context, parentSpanId: parent?.spanId, startMs, endMs: wallClock() },
        attributes: { 'http.request.method': request.method, 'http.route': route, 'http.response.status_code': statusCode },
        error: statusCode >= 500 ? String(statusCode) : undefined,
      });
    });
    next();
  };
}

/** The path of the route, never what stands in its places. */
const routeOf = (request: IncomingMessage): string => {
  const { route } = request as IncomingMessage & { readonly route?: { readonly path?: unknown } };
  return typeof route?.path === 'string' ? route.path : 'unknown';
};
