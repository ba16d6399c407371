import { MAX_MESSAGE_BYTES } from './line-splitter.js';

type Fetch = typeof globalThis.fetch;

export interface BoundedFetchOptions {
  readonly fetch: Fetch;
  /** The server; its headers go to its own origin alone. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Called with the status of each answer of the server. */
  readonly onStatus?: (status: number, method: string) => void;
  readonly onFatal: (sentence: string) => void;
}

/** Requests to a server: its headers put on for its own origin alone, and answers bounded, streams by event, others as a whole. */
export function boundedFetch({ fetch, url, headers, onStatus, onFatal }: BoundedFetchOptions): Fetch {
  return async (input, init) => {
    const target = new URL(input instanceof Request ? input.url : input);
    const own = new Headers(init?.headers);
    if (target.origin === url.origin) for (const [name, value] of Object.entries(headers)) if (!own.has(name)) own.set(name, value);
    const response = await fetch(target, { ...init, headers: own });
    onStatus?.(response.status, init?.method ?? 'GET');
    if (response.body === null) return response;
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    const bounded = response.body.pipeThrough(limit(isStream, onFatal));
    const answer = new Response(bounded, { status: response.status, statusText: response.statusText, headers: response.headers });
    Object.defineProperty(answer, 'url', { value: response.url });
    return answer;
  };
}

/** Errors when an answer, or one event of a stream, is larger than a message may be. */
function limit(isStream: boolean, onFatal: (sentence: string) => void): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  let wasLineEnd = false;
  return new TransformStream({
    transform(chunk, controller) {
      if (isStream) {
        const end = endOfLastEvent(chunk, wasLineEnd);
        length = end === -1 ? length + chunk.length : chunk.length - end;
        wasLineEnd = chunk.at(-1) === 0x0a;
      } else length += chunk.length;
      if (length > MAX_MESSAGE_BYTES) {
        if (isStream) onFatal('it sent an event of more than 16 MB');
        controller.error(new Error('the answer has more than 16 MB'));
      } else controller.enqueue(chunk);
    },
  });
}

/** Where the last event that ends in this chunk ends; -1 where none does. */
function endOfLastEvent(chunk: Uint8Array, wasLineEnd: boolean): number {
  for (let at = chunk.length - 1; at >= 0; at -= 1) {
    if (chunk[at] !== 0x0a) continue;
    const before = at === 0 ? undefined : chunk[at - 1] === 0x0d ? (at === 1 ? undefined : chunk[at - 2]) : chunk[at - 1];
    if (before === 0x0a || (before === undefined && wasLineEnd)) return at + 1;
  }
  return -1;
}
