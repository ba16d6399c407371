import type { Transformer } from 'node:stream/web';
import type { Response as UndiciResponse } from 'undici';
import { EgressError } from './egress-error.js';

/** Decoded bytes of an answer; of a stream of events, of one event. */
const MAX_BYTES = 32 * 1_024 * 1_024;
/** For the whole body of an answer that is no stream of events, after its headers. */
const MAX_BODY_MS = 300_000;
const LINE_END = 0x0a;
const RETURN = 0x0d;

/** Statuses that have no body. */
const EMPTY: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/** An answer with the same status, headers and body, whose body ends with an `EgressError` where it is too large or too slow. */
export function bounded(answer: UndiciResponse, url: URL, limits = { maxBytes: MAX_BYTES, bodyMs: MAX_BODY_MS }): Response {
  const headers = new Headers([...answer.headers]);
  const isEvents = (headers.get('content-type') ?? '').startsWith('text/event-stream');
  const { status, statusText } = answer;
  const body = answer.body as ReadableStream<Uint8Array> | null;
  const guarded = body === null || EMPTY.has(status) ? null : body.pipeThrough(guard(isEvents, limits));
  const response = new Response(guarded, { status, statusText, headers });
  Object.defineProperty(response, 'url', { value: url.href });
  return response;
}

function guard(isEvents: boolean, { maxBytes, bodyMs }: { maxBytes: number; bodyMs: number }): TransformStream<Uint8Array, Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  let bytes = 0;
  let isEmptyLine = true;
  /** An empty line ends an event. */
  const measure = (piece: Uint8Array): void => {
    if (!isEvents) bytes += piece.length;
    else {
      for (const byte of piece) {
        bytes = byte === LINE_END && isEmptyLine ? 0 : bytes + 1;
        if (byte !== RETURN) isEmptyLine = byte === LINE_END;
      }
    }
  };
  const transformer: Transformer<Uint8Array, Uint8Array> & { cancel: () => void } = {
    start: (controller) => {
      if (isEvents) return;
      timer = setTimeout(() => controller.error(new EgressError('timeout', `no whole answer within ${String(bodyMs)} ms`)), bodyMs).unref();
    },
    transform: (piece, controller) => {
      measure(piece);
      if (bytes <= maxBytes) return controller.enqueue(piece);
      clearTimeout(timer);
      controller.error(new EgressError('too_large', `the answer is over ${String(maxBytes)} bytes`));
    },
    flush: () => clearTimeout(timer),
    cancel: () => clearTimeout(timer),
  };
  return new TransformStream(transformer);
}
