import { fetch as undiciFetch, type Dispatcher, type RequestInit as UndiciInit, type Response as UndiciResponse } from 'undici';
import { bounded } from './bounded-response.js';
import { EgressError } from './egress-error.js';
import { nextTarget, redirected, REDIRECTS, toTarget } from './redirects.js';

interface Asked {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: NonNullable<RequestInit['body']> | undefined;
}

/**
 * `fetch` whose every connection goes through a guarded dispatcher. As the global one, but: http and https only, no password in the URL; redirects (3 at
 * most, each judged like the first address) carry the headers of the caller to the first origin only; an answer has bounds; and what went wrong
 * is an `EgressError`, an abort as ever the reason of the signal.
 */
export function guardedFetch(dispatcher: Dispatcher): typeof fetch {
  return async (input, init = {}) => {
    const { url: text, ...given } = await toAsked(input, init);
    const signal = init.signal ?? (input instanceof Request ? input.signal : undefined);
    const redirect = init.redirect ?? 'follow';
    const ask = (url: URL, { method, headers, body }: Asked): Promise<UndiciResponse> =>
      undiciFetch(url, {
        ...{ method, headers: { ...headers }, redirect: 'manual', dispatcher },
        ...{ body: body as UndiciInit['body'] | undefined, duplex: 'half' },
        signal: signal ?? null,
      }).catch((error: unknown) => {
        throw toEgressError(error, signal);
      });
    let url = toTarget(text);
    let asked: Asked = given;
    for (let redirects = 0; ; redirects += 1) {
      const answer = await ask(url, asked);
      const location = answer.headers.get('location');
      if (!REDIRECTS.has(answer.status) || location === null || redirect === 'manual') return bounded(answer, url);
      await answer.body?.cancel().catch(() => undefined);
      if (redirect === 'error') throw new EgressError('failed', 'the server redirects, which was not expected');
      const next = nextTarget(location, url, redirects);
      asked = redirected(asked, answer.status, next.origin === url.origin) as Asked;
      if (asked.body instanceof ReadableStream) throw new EgressError('failed', 'a body that is a stream cannot follow a redirect');
      url = next;
    }
  };
}

async function toAsked(input: string | URL | Request, init: RequestInit): Promise<Asked & { readonly url: string }> {
  const request = input instanceof Request ? input : undefined;
  const body = init.body ?? (request === undefined || request.body === null ? undefined : await request.arrayBuffer());
  const { headers = request?.headers } = init;
  return {
    url: typeof input === 'string' ? input : 'url' in input ? input.url : input.href,
    method: (init.method ?? request?.method ?? 'GET').toUpperCase(),
    headers: Object.fromEntries(new Headers(headers)),
    body,
  };
}

/** What undici says of a failure names addresses, so it goes no further. */
function toEgressError(error: unknown, signal: AbortSignal | null | undefined): unknown {
  if (signal?.aborted === true) return signal.reason;
  const { cause } = error as { cause?: unknown };
  return cause instanceof EgressError ? cause : new EgressError('failed', 'the server could not be reached, or broke off');
}
