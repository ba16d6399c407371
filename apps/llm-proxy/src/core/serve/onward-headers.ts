import type { Dialect } from '@codelab/llm';
import type { RelayCall } from '../upstreams/upstream.js';
import type { Exchange, RequestHeaders } from './route.js';

/**
 * What an upstream of the same dialect gets of a caller's headers and of its query, with our span of the trace. Everything else stays here:
 * keys, cookies, hosts, encodings.
 */
export function onwardOf({ onward }: Dialect, exchange: Onward): Pick<RelayCall, 'headers' | 'query'> {
  const { headers, trace } = exchange;
  const sent: Record<string, string> = { traceparent: trace.traceparent };
  for (const name of onward.headers) {
    const value = headers[name];
    if (value !== undefined) sent[name] = typeof value === 'string' ? value : value.join(',');
  }
  if (typeof headers.tracestate === 'string') sent.tracestate = headers.tracestate;
  return { headers: sent, query: onward.query.length === 0 ? undefined : queryOf(exchange.url.searchParams, onward.query) };
}

type Onward = Pick<Exchange, 'headers' | 'trace' | 'url'>;

function queryOf(query: URLSearchParams, names: readonly string[]): string | undefined {
  const sent = names.flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  return sent.length === 0 ? undefined : sent.join('&');
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
