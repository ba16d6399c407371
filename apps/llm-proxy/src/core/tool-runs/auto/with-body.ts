import type { DialectName } from '@codelab/llm';
import type { Identity } from '@codelab/auth';
import type { ByteWriter, Exchange, RequestFacts, RequestHeaders, SseOptions, SseWriter, Trace } from '../../serve/route.js';
import type { Leaving } from '../../upstreams/upstream.js';

/** A request whose body was edited: everything else is that of the request itself. */
class EditedExchange implements Exchange {
  constructor(
    private readonly original: Exchange,
    private readonly text: string,
    private readonly body: unknown,
  ) {}

  get caller(): Identity {
    return this.original.caller;
  }
  get method(): string {
    return this.original.method;
  }
  get url(): URL {
    return this.original.url;
  }
  get params(): Readonly<Record<string, string>> {
    return this.original.params;
  }
  get headers(): RequestHeaders {
    return this.original.headers;
  }
  get dialect(): DialectName {
    return this.original.dialect;
  }
  get signal(): AbortSignal {
    return this.original.signal;
  }
  get leaving(): Leaving {
    return this.original.leaving;
  }
  get requestId(): string {
    return this.original.requestId;
  }
  get trace(): Trace {
    return this.original.trace;
  }
  get facts(): RequestFacts {
    return this.original.facts;
  }
  bodyText(): string {
    return this.text;
  }
  json(): unknown {
    return this.body;
  }
  reply(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void {
    this.original.reply(status, body, headers);
  }
  stream(options: SseOptions): SseWriter {
    return this.original.stream(options);
  }

  pour(headers: Readonly<Record<string, string>>): ByteWriter {
    return this.original.pour(headers);
  }
}

/** @param text JSON text; parsed here */
export const withBody = (exchange: Exchange, text: string): Exchange => new EditedExchange(exchange, text, JSON.parse(text) as unknown);
