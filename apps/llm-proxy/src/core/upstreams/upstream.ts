import type { Growth, LlmError, ModelRequest, Quirks, StreamPart, DialectName } from '@codelab/llm';

/** Says when a caller leaves: an `AbortSignal`, or what does this part of its work at a fraction of its cost. */
export interface Leaving {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A request that goes to an upstream in its own dialect, as the caller wrote it but for what had to change. */
export interface RelayCall {
  readonly dialect: DialectName;
  /** The endpoint of the dialect, or one beside it. Default: `answer`. */
  readonly endpoint?: 'answer' | 'count_tokens' | 'embeddings';
  /** JSON text. */
  readonly body: string;
  /** The caller asked for a stream. */
  readonly stream: boolean;
  /** Headers of the caller that go on: `anthropic-version`, `anthropic-beta`, `traceparent` … lower case; never one with a key. */
  readonly headers: Readonly<Record<string, string>>;
  /** The caller's query without `?`, such as `beta=true`. */
  readonly query?: string;
  readonly signal: Leaving;
}

/** Takes an answer as it comes. */
export interface AnswerSink {
  /** The next bytes. Answers whether more may come at once; if not, `goOn` says when. */
  data(bytes: Buffer): boolean;
  /** Nothing more comes: it is all there, or this ended it. Called once. */
  end(failure?: LlmError): void;
}

/** What an upstream answered with a status of 2xx. Anything else is thrown as an `LlmError`. */
export interface RelayedAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Gives the body to `sink` from its first byte, which may come before this returns. Costs a fraction of what a stream of Node's does. */
  pour(sink: AnswerSink): void;
  /** The sink takes more. */
  goOn(): void;
  /** Nobody wants the rest: the connection is closed at once (L2). Harmless at the end. */
  drop(): void;
  /** The body for those who would rather read it than be given it. To leave it is `drop`; an error of it is an `LlmError`. */
  readonly body: AsyncIterable<Buffer>;
}

/** How a canonical request is asked. */
export interface AskUpstream {
  readonly signal: Leaving;
  /** W3C trace context, passed on. */
  readonly traceparent?: string;
  /**
   * The conversation goes on, as an agent's: cache marks are placed where the dialect has any, and what is written of its messages and tools is
   * remembered for the next request. A program's request stays as it is, and to remember it would only cost.
   */
  readonly growth?: Growth;
  /** Ask for the answer in one piece, as the caller did: it is read at a fraction of a stream's cost. The parts come at its end. */
  readonly inOnePiece?: boolean;
  /** What the models file says of the model: its quirks and its largest answer. */
  readonly entry?: { readonly quirks?: Quirks; readonly max_output_tokens?: number };
  /** Told before it is asked what the upstream could not be told of the request, in words for log and header. */
  readonly onNotes?: (notes: readonly string[]) => void;
}

/** A model as its server describes it. */
export interface UpstreamModel {
  readonly id: string;
  readonly displayName?: string;
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
}

/** Something that answers model requests: a server of one dialect, or the built-in model. */
export interface Upstream {
  /** The name in the models file, or `openai`, `anthropic`, `offline`: for logs and metrics. */
  readonly name: string;
  readonly quirks: Quirks;
  /** The dialects that can be relayed to it. None for the built-in model. */
  readonly dialects: ReadonlySet<DialectName>;
  /** `relayed`: `relay` has the endpoint `embeddings`, in OpenAI's shape; `built-in`: we make them ourselves. Absent: there are none. */
  readonly embeddings?: 'relayed' | 'built-in';
  /**
   * Asks once, in canonical form. The stream ends with `finish` or throws an `LlmError`, nothing else. When the signal aborts the
   * connection is closed at once and the stream throws `cancelled` (L2); a consumer that stops reading has the same effect.
   */
  stream(request: ModelRequest, ask: AskUpstream): AsyncIterable<StreamPart>;
  /** Asks once in one of `dialects`. Resolves with the headers of the answer; throws `LlmError`. */
  relay(call: RelayCall): Promise<RelayedAnswer>;
  /** The models that it says it has; missing where nobody can be asked. Throws `LlmError`. */
  listModels?(signal: Leaving): Promise<readonly UpstreamModel[]>;
  close(): Promise<void>;
}
