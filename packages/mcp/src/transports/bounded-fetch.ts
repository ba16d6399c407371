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
  let last: number | undefined;
  return new TransformStream({
    transform(chunk, controller) {
      if (isStream) {
        const end = endOfLastEvent(chunk, last);
        length = end === -1 ? length + chunk.length : chunk.length - end;
        last = chunk.at(-1) ?? last;
      } else length += chunk.length;
      if (length > MAX_MESSAGE_BYTES) {
        if (isStream) onFatal('it sent an event of more than 16 MB');
        controller.error(new Error('the answer has more than 16 MB'));
      } else controller.enqueue(chunk);
    },
  });
}

const [LF, CR] = [0x0a, 0x0d];
const isLineEnd = (byte: number | undefined): boolean => byte === LF || byte === CR;

/** Where the last event that ends in this chunk ends: after two line ends, of whichever kind. -1 where none does. */
function endOfLastEvent(chunk: Uint8Array, before: number | undefined): number {
  for (let at = chunk.length - 1; at >= 0; at -= 1) {
    const previous = at === 0 ? before : chunk[at - 1];
    const isOneLineEnd = previous === CR && chunk[at] === LF;
    if (isLineEnd(chunk[at]) && isLineEnd(previous) && !isOneLineEnd) return at + 1;
  }
  return -1;
}
