import type { Dialect } from '../dialect.js';
import type { RequestHeaders, Trace } from './route.js';

/** What of a caller's headers goes on to an upstream of the same dialect. Everything else stays here: keys, cookies, hosts, encodings. */
const ONWARD: Readonly<Record<Dialect, readonly string[]>> = {
  chat: ['openai-beta', 'idempotency-key'],
  messages: ['anthropic-version', 'anthropic-beta'],
  responses: ['openai-beta', 'idempotency-key'],
};

/** The headers of a caller that an upstream gets, with our span of the trace. */
export function headersForUpstream(dialect: Dialect, headers: RequestHeaders, trace: Trace): Record<string, string> {
  const onward: Record<string, string> = { traceparent: trace.traceparent };
  for (const name of ONWARD[dialect]) {
    const value = headers[name];
    if (value !== undefined) onward[name] = typeof value === 'string' ? value : value.join(',');
  }
  const { tracestate } = headers;
  if (typeof tracestate === 'string') onward.tracestate = tracestate;
  return onward;
}

/** What an upstream may tell a caller beside its answer: how much of a rate limit is left. Nothing with keys, accounts or hosts (L1). */
const BACK = /^(?:anthropic-ratelimit-|x-ratelimit-|openai-(?:processing-ms|version)$)/;

/** The headers of an upstream's answer that a caller gets. */
export function headersForCaller(headers: RequestHeaders): Record<string, string> {
  const back: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string' && BACK.test(name)) back[name] = value;
  }
  return back;
}
