import type { Readable } from 'node:stream';
import type { ModelRequest, Quirks, StreamPart } from '@codelab/llm';
import type { Dialect } from '../dialect.js';
import type { ModelEntry } from '../models/models-file.js';

/** A request that goes to an upstream in its own dialect, as the caller wrote it but for what had to change. */
export interface RelayCall {
  readonly dialect: Dialect;
  /** The endpoint of the dialect, or one beside it. Default: `answer`. */
  readonly endpoint?: 'answer' | 'count_tokens';
  /** JSON text. */
  readonly body: string;
  /** The caller asked for a stream. */
  readonly stream: boolean;
  /** Headers of the caller that go on: `anthropic-version`, `anthropic-beta`, `traceparent` … lower case; never one with a key. */
  readonly headers: Readonly<Record<string, string>>;
  /** The caller's query without `?`, such as `beta=true`. */
  readonly query?: string;
  readonly signal: AbortSignal;
}

/** What an upstream answered with a status of 2xx. Anything else is thrown as an `LlmError`. */
export interface RelayedAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it comes. Destroying it closes the connection at once (L2); an error of it is an `LlmError`. */
  readonly body: Readable;
}

/** How a canonical request is asked. */
export interface AskUpstream {
  readonly signal: AbortSignal;
  /** W3C trace context, passed on. */
  readonly traceparent?: string;
  /** Place cache marks for a conversation that goes on: for agents, whose requests have none of their own. */
  readonly placeCacheMarks?: boolean;
  /** What the models file says of the model: its quirks and its largest answer. */
  readonly entry?: Partial<ModelEntry>;
  /** Told before it is asked what the upstream could not be told of the request, in words for log and header. */
  readonly onNotes?: (notes: readonly string[]) => void;
}

/** Something that answers model requests: a server of one dialect, or the built-in model. */
export interface Upstream {
  /** The name in the models file, or `openai`, `anthropic`, `offline`: for logs and metrics. */
  readonly name: string;
  readonly quirks: Quirks;
  /** The dialects that can be relayed to it. None for the built-in model. */
  readonly dialects: ReadonlySet<Dialect>;
  /**
   * Asks once, in canonical form. The stream ends with `finish` or throws an `LlmError`, nothing else. When the signal aborts the
   * connection is closed at once and the stream throws `cancelled` (L2); a consumer that stops reading has the same effect.
   */
  stream(request: ModelRequest, ask: AskUpstream): AsyncIterable<StreamPart>;
  /** Asks once in one of `dialects`. Resolves with the headers of the answer; throws `LlmError`. */
  relay(call: RelayCall): Promise<RelayedAnswer>;
  close(): Promise<void>;
}
