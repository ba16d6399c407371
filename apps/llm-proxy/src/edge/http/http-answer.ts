import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type DialectName, DIALECTS, LlmError } from '@codelab/llm';
import { failureWord, toCallerError } from '../../core/serve/failure.js';
import type { ByteWriter, RequestFacts, SseOptions, SseWriter } from '../../core/serve/route.js';
import { BytesResponse } from './bytes-response.js';
import { SseResponse } from './sse-response.js';

type Headers = Readonly<Record<string, string>>;

export interface HttpAnswerOptions {
  readonly dialect: DialectName;
  readonly requestId: string;
  readonly keepaliveMs: number;
  /** Those of CORS. */
  readonly headers: Headers;
  /** By `performance.now()`. */
  readonly arrivedMs: number;
}

/** Statuses at which the vendors' SDKs ask again by themselves. */
const isRepeatedBySdks = (status: number): boolean => status === 408 || status === 409 || status === 429 || status >= 500;

/** The one answer of a request: JSON, an error in the caller's dialect, or a stream. */
export class HttpAnswer {
  readonly facts: RequestFacts = {};
  private statusNow = 0;
  private streamNow: SseResponse | undefined;
  private bytesNow: BytesResponse | undefined;
  /** Whether the request's body was read: what is left of one that was not must not be taken for the next request. */
  isBodyRead = false;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    readonly options: HttpAnswerOptions,
  ) {}

  /** That of the head which went out; 499 where the caller left before it, or before the end of a stream. */
  get status(): number {
    return this.response.writableFinished ? this.statusNow : 499;
  }

  /** No request follows on this connection. A head that is out already has said otherwise. */
  endConnection(): void {
    this.response.shouldKeepAlive = false;
  }

  reply(status: number, body: unknown, headers?: Headers): void {
    if (this.statusNow !== 0 || this.response.destroyed) return;
    this.streamNow?.disarm();
    if (body === undefined) {
      this.response.writeHead(204, { ...this.own(), ...headers });
      this.begin(status);
      return void this.response.end();
    }
    const content = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    const head = {
      'content-type': 'application/json',
      'content-length': typeof content === 'string' ? Buffer.byteLength(content) : content.length,
      ...this.own(),
      ...headers,
    };
    if (!this.isBodyRead) {
      replyAndClose(this.request, this.response, { status, head, content });
      return this.begin(status);
    }
    this.response.writeHead(status, head);
    this.begin(status); // not before: a head that can't be written leaves room for an error
    this.response.end(content);
  }

  stream(options: SseOptions): SseWriter {
    this.facts.stream = true;
    const { headers } = options;
    this.streamNow = new SseResponse(this.response, {
      ...options,
      headers: () => ({ ...this.own(), ...headers?.() }),
      keepaliveMs: this.options.keepaliveMs,
      onBegin: () => this.begin(200),
      encodeFailure: (error) => this.encodeFailure(error),
    });
    return this.streamNow;
  }

  pour(headers: Headers): ByteWriter {
    this.bytesNow = new BytesResponse(this.response, { headers: () => ({ ...this.own(), ...headers }), onBegin: () => this.begin(200) });
    return this.bytesNow;
  }

  /** Tells a failure: as an answer with its status, or at the end of a stream that has begun. */
  fail(error: unknown, { status, headers }: { readonly status?: number; readonly headers?: Headers } = {}): void {
    this.facts.error ??= failureWord(error);
    if (this.streamNow?.begun) return this.streamNow.fail(error);
    if (this.bytesNow?.begun) return this.bytesNow.breakOff();
    const { dialect, requestId } = this.options;
    const encoded = DIALECTS[dialect].encodeError(toCallerError(error), requestId);
    const answered = status ?? encoded.status;
    // an upstream was asked as often as it made sense: a client that asks again gains nothing
    const isExhausted = error instanceof LlmError && isRepeatedBySdks(answered);
    this.reply(answered, encoded.body, { ...encoded.headers, ...(isExhausted && { 'x-should-retry': 'false' }), ...headers });
  }

  private encodeFailure(error: unknown): string {
    this.facts.error ??= failureWord(error);
    return DIALECTS[this.options.dialect].encodeStreamError(toCallerError(error), this.options.requestId);
  }

  private begin(status: number): void {
    this.statusNow = status;
    this.facts.firstByteMs = performance.now() - this.options.arrivedMs;
  }

  private own(): Record<string, string> {
    const { requestId, headers } = this.options;
    return { 'request-id': requestId, 'x-request-id': requestId, ...headers };
  }
}

/** How long a caller that still sends may go on, so that it gets to read its answer; then the connection is closed. */
const LINGER_MS = 1_000;

interface WholeReply {
  readonly status: number;
  /** With the content's length. */
  readonly head: OutgoingHttpHeaders;
  readonly content: string | Uint8Array;
}

/**
 * Answers a request whose body was not read to its end, and closes the connection. What still comes is thrown away for a moment: a socket
 * that is closed on a peer which sends resets the connection, and the answer with it.
 */
function replyAndClose(request: IncomingMessage, response: ServerResponse, { status, head, content }: WholeReply): void {
  response.writeHead(status, { ...head, connection: 'close' });
  response.write(content);
  const close = (): void => {
    clearTimeout(timer);
    if (!response.writableEnded) response.end(() => request.socket.destroySoon());
  };
  const timer = setTimeout(close, request.complete ? 0 : LINGER_MS);
  request.once('end', close).once('close', close).resume();
}
