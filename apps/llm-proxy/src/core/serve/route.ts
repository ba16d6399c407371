import type { Identity, Scope } from '@codelab/auth';
import type { Usage, DialectName } from '@codelab/llm';
import type { Attempt } from '../chain/ask-chain.js';
import type { Leaving } from '../upstreams/upstream.js';

/** Lower-case names, as Node gives them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One endpoint of the HTTP API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Exact, or with placeholders that take one segment (`{id}`) or all that is left (`{id+}`, at the end only). Always with `/v1`. */
  readonly path: string;
  /** What the token must be allowed to do; else 403. */
  readonly scope: Scope;
  /**
   * Answers the request, with `reply` or with `stream`. What it throws before that becomes the answer: an `ApiError` or `LlmError` in the
   * caller's dialect, anything else a 500 that says nothing. Once a stream has begun its writer tells failures itself.
   */
  handle(exchange: Exchange): Promise<void> | void;
}

/** W3C trace context of one request. */
export interface Trace {
  /** 32 hex digits, for logs. */
  readonly id: string;
  /** What goes on to upstreams and to Redis: a span of ours below the caller's. */
  readonly traceparent: string;
  /** Told of each time that an upstream is asked, where that is recorded. */
  readonly onAttempt?: (attempt: Attempt) => void;
}

/** What the log line and the metrics of a request say. Handlers fill it in as they learn it; nothing in it is content. */
export interface RequestFacts {
  /** What was asked for, as far as it concerns a model: the dialect of the endpoint. */
  dialect?: DialectName | 'embeddings';
  /** The name of the upstream that answered, or was tried last. */
  upstream?: string;
  /** The upstream's name of the model. */
  model?: string;
  stream?: boolean;
  usage?: Usage;
  /** The usage is our estimate. */
  estimated?: boolean;
  /** How often an upstream was asked. */
  attempts?: number;
  /** Between asking an upstream and its first bytes, and until its last, in milliseconds: the rest is ours. */
  upstreamFirstByteMs?: number;
  upstreamMs?: number;
  /** From the arrival of the request to the first byte of the answer. */
  firstByteMs?: number;
  sessionId?: string;
  /** What the upstream could not be told of the request, in words for log and header. */
  notes?: readonly string[];
  /** Why it failed: the code of an `LlmError`, the kind of an `ApiError`, or `fault`. */
  error?: string;
}

/** A request that was let in, and the way to answer it. The body is there already. */
export interface Exchange {
  readonly caller: Identity;
  readonly method: string;
  readonly url: URL;
  /** What stood in the places of the path's placeholders, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: RequestHeaders;
  /** For errors, and for what else differs between dialects. */
  readonly dialect: DialectName;
  /** Aborts when the caller left before the end of the answer. */
  readonly signal: AbortSignal;
  /** The same at a fraction of the cost, for what need not be an `AbortSignal`. */
  readonly leaving: Leaving;
  /** Goes out as `request-id`. */
  readonly requestId: string;
  readonly trace: Trace;
  readonly facts: RequestFacts;
  /** The body, which is valid UTF-8; `''` without one. */
  bodyText(): string;
  /** The body as JSON, parsed once; throws `ApiError` (`invalid_request`) for what is none or is nested too deep. */
  json(): unknown;
  /** Answers with JSON: a value, or its text. Only the first answer counts. */
  reply(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void;
  /** Begins a stream of server-sent events. */
  stream(options: SseOptions): SseWriter;
  /** Begins an answer of JSON whose bytes come from elsewhere. */
  pour(headers: Readonly<Record<string, string>>): ByteWriter;
}

/** Writes bytes as they come, with status 200. The head goes out with the first ones: until then a failure can still be thrown. */
export interface ByteWriter {
  /** A promise where the caller doesn't read as fast: wait for it; it resolves also when the caller left. */
  write(bytes: string | Uint8Array): Promise<void> | undefined;
  end(): void;
  /** Closes the connection in the middle: what was written can't be told from a whole answer otherwise. */
  breakOff(): void;
}

export interface SseOptions {
  /** Sent whenever nothing else was for a while; a whole event or comment with its blank line. */
  readonly keepalive: string;
  /** Read when the head goes out. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

/**
 * Writes server-sent events as they come; nothing is held back. The head goes out with the first event, or with a keepalive when there was
 * none for a while: until then a failure can still be thrown, and becomes an answer with its true status.
 */
export interface SseWriter {
  /** Writes whole events. A promise where the caller doesn't read as fast: wait for it; it resolves also when the caller left. */
  write(events: string | Uint8Array): Promise<void> | undefined;
  /** Ends the answer well. */
  end(): void;
  /**
   * Writes the error in the caller's dialect as the last event and ends the answer: no finish, no end mark.
   *
   * @param events what is written instead of the dialect's plain error event
   */
  fail(error: unknown, events?: string): void;
  /** Whether the head went out. */
  readonly begun: boolean;
  /** The answer has ended, or the caller is gone: nothing that is written arrives. */
  readonly closed: boolean;
}
