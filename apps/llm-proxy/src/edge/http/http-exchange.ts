import type { IncomingMessage } from 'node:http';
import type { Identity } from '@codelab/auth';
import { ApiError, type DialectName } from '@codelab/llm';
import { checkNesting } from '../../core/serve/check-nesting.js';
import type { ByteWriter, Exchange, RequestFacts, RequestHeaders, SseOptions, SseWriter, Trace } from '../../core/serve/route.js';
import type { Leaving } from '../../core/upstreams/upstream.js';
import type { HttpAnswer } from './http-answer.js';

/** A request that was let in. What not every route needs is made when it is asked for. */
export class HttpExchange implements Exchange {
  private urlNow: URL | undefined;
  private jsonNow: unknown;
  private isParsed = false;
  private signalNow: AbortSignal | undefined;
  readonly leaving = new CallerLeaving();

  constructor(
    private readonly request: IncomingMessage,
    private readonly answer: HttpAnswer,
    readonly caller: Identity,
    readonly params: Readonly<Record<string, string>>,
    private readonly body: string,
    readonly trace: Trace,
  ) {}

  get method(): string {
    return this.request.method!;
  }

  get url(): URL {
    return (this.urlNow ??= new URL(this.request.url!, 'http://localhost'));
  }

  get headers(): RequestHeaders {
    return this.request.headers;
  }

  get dialect(): DialectName {
    return this.answer.options.dialect;
  }

  get requestId(): string {
    return this.answer.options.requestId;
  }

  get facts(): RequestFacts {
    return this.answer.facts;
  }

  get signal(): AbortSignal {
    if (this.signalNow) return this.signalNow;
    const controller = new AbortController();
    if (this.leaving.aborted) controller.abort();
    else this.leaving.addEventListener('abort', () => controller.abort());
    return (this.signalNow = controller.signal);
  }

  bodyText(): string {
    return this.body;
  }

  json(): unknown {
    if (this.isParsed) return this.jsonNow;
    checkNesting(this.body);
    try {
      this.jsonNow = JSON.parse(this.body);
    } catch {
      // no message of the parser's: it quotes what it stumbled over
      throw new ApiError(
        'invalid_request',
        this.body === '' ? 'the body is empty: it must be a JSON object' : 'the body is not valid JSON',
      );
    }
    this.isParsed = true;
    return this.jsonNow;
  }

  reply(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void {
    this.answer.reply(status, body, headers);
  }

  stream(options: SseOptions): SseWriter {
    return this.answer.stream(options);
  }

  pour(headers: Readonly<Record<string, string>>): ByteWriter {
    return this.answer.pour(headers);
  }
}

/** Tells that a caller left. An `AbortController` for each request would cost more than the rest of the door. */
class CallerLeaving implements Leaving {
  private abortedNow = false;
  private listeners: (() => void)[] = [];

  get aborted(): boolean {
    return this.abortedNow;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const place = this.listeners.indexOf(listener);
    if (place !== -1) this.listeners.splice(place, 1);
  }

  /** The caller is gone: everybody is told, once. */
  abort(): void {
    this.abortedNow = true;
    for (const listener of this.listeners.splice(0)) listener();
  }
}
