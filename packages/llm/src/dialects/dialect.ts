import type { ApiError } from '../errors/api-error.js';
import type { LlmError } from '../errors/llm-error.js';
import type { ProviderRefusal } from '../errors/provider-refusal.js';
import type { Growth } from '../canonical/growth.js';
import type { ModelRequest, ModelTool } from '../canonical/message.js';
import type { StreamPart, Usage } from '../canonical/stream-part.js';
import type { ToolNames } from '../names/tool-names.js';
import type { Quirks } from '../quirks.js';
import type { StreamWatch } from '../stream/stream-watch.js';

/**
 * One way to ask for and to write answers: everything that differs between `/v1/chat/completions`, `/v1/messages` and `/v1/responses`. A
 * dialect is a folder whose `index.ts` is one of these, and a line in `DIALECTS`.
 */
export interface Dialect {
  /** The endpoint that speaks it. What else lies below it belongs to the dialect too, errors included. */
  readonly path: string;
  /** A header that only its callers send: tells them on endpoints that several dialects share. */
  readonly callerHeader?: string;
  /** How the ids of its answers begin. */
  readonly answerId: string;
  /** Headers of a caller, and parameters of its URL, that an upstream of the same dialect gets. */
  readonly onward: { readonly headers: readonly string[]; readonly query: readonly string[] };
  /** Members of a request that limit the tokens of its answer; the first number counts. */
  readonly limits: readonly string[];
  /** Bytes of a stream to a character of its answer, each token having a whole event around it: for estimates. */
  readonly bytesPerCharacter: number;

  // a caller's request
  /** Judges what is read of a body. Throws `ApiError` with the field. */
  checkRequest(body: unknown, options?: CheckOptions): void;
  /** The text of a body with the arguments of earlier calls in the form that the dialect has for them. */
  mendArguments(raw: string, body: unknown): string;
  /** Throws `ApiError` for what can't be said in canonical form, or is no request. */
  decodeRequest(body: unknown, raw: string, options?: DecodeOptions): DecodedRequest;
  /** Name and schema of a tool as `tools` has it; no name where it is none that a caller runs. */
  readTool(tool: Readonly<Record<string, unknown>>): { readonly name: unknown; readonly parameters: unknown };
  writeTool(tool: Pick<ModelTool, 'name' | 'description' | 'parameters'>): object;

  // our answer to it
  readonly StreamEncoder: new (meta: AnswerMeta) => PartEncoder;
  /** A whole answer, with its `finish`, as JSON text. */
  encodeAnswer(parts: readonly StreamPart[], meta: AnswerMeta): string;
  /** An event that tells what goes on behind a stream and that breaks no client; missing where there is none such. */
  encodeProgress?(meta: AnswerMeta, progress: object): string;
  encodeError(error: ApiError, requestId: string): EncodedError;
  encodeStreamError(error: ApiError, requestId: string): string;
  /** Keeps a quiet stream open. */
  readonly keepalive: string;
  encodeModel(model: ListedModel): object;
  /** Throws `ApiError` for a query that can't be served. */
  encodeModels(models: readonly ListedModel[], query: URLSearchParams): object;
  /** The endpoint that counts the tokens of a request; missing where the dialect has none. */
  readonly countTokens?: CountTokens;

  // a request that is relayed to an upstream of the same dialect
  prepareRelay(raw: string, body: unknown, to: RelayTarget): PreparedRelay;
  watchStream(options?: WatchOptions): StreamWatch;
  relayAnswer(text: string, names?: ToolNames, options?: Pick<WatchOptions, 'onlyFirstCall'>): RelayedText;

  /** How canonical requests are asked in it; missing where it is only relayed. */
  readonly upstream?: UpstreamCodec;
}

/** Turns the parts of an answer into the events of a dialect: whole events, or nothing yet. */
export interface PartEncoder {
  start(): string;
  push(part: StreamPart): string;
  /** The end mark, after the finish. */
  end(): string;
  /** Ends the answer with an error, where the dialect says more then than `encodeStreamError`. */
  fail?(error: ApiError): string;
}

/** Asks a model in the words of a dialect, and reads what it answers. */
export interface UpstreamCodec {
  /** Throws `LlmError` `invalid_request` for what the server is known to refuse. */
  encodeRequest(request: ModelRequest, options?: EncodeOptions): EncodedRequest;
  decodeStream(bytes: AsyncIterable<Uint8Array>, names?: ToolNames): AsyncGenerator<StreamPart, void, undefined>;
  /** An answer in one piece, as if it had been streamed. */
  decodeAnswer(text: string, names?: ToolNames): Generator<StreamPart, void, undefined>;
  decodeError(refusal: ProviderRefusal): LlmError;
}

export interface CountTokens {
  readonly path: string;
  encode(inputTokens: number): object;
  /** Whether an upstream's answer is a count. */
  isCount(body: Readonly<Record<string, unknown>>): boolean;
}

export interface EncodeOptions {
  readonly quirks?: Quirks;
  /** The largest answer of the model, where it is known. */
  readonly maxOutputTokens?: number;
  /**
   * The conversation goes on, as an agent's: cache marks are placed where the dialect has any, and what is written of its messages and tools is
   * remembered for the next request. A program's request stays as it is, and to remember it would only cost.
   */
  readonly growth?: Growth;
}

/** A request in the words of a dialect. */
export interface EncodedRequest {
  /** Always asks for a stream. Its messages are what can be large; it may hold `RawJson`. */
  readonly body: { readonly messages: readonly unknown[] };
  /** The body as JSON: made when it is asked for. */
  readonly text: string;
  /** Turns the names in the answer back into those of the request. */
  readonly names: ToolNames;
  /** What could not be said as it was asked: for log and header. */
  readonly notes: readonly string[];
  /** Calls after the first one are to be left out of the answer: the server can't be told. */
  readonly onlyFirstCall?: boolean;
}

/** A model as `GET /v1/models` shows it. */
export interface ListedModel {
  readonly id: string;
  readonly upstream: string;
  /** What the upstream calls the model that the name leads to. */
  readonly model?: string;
  readonly displayName?: string;
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
}

/** How strictly a request is judged. */
export interface CheckOptions {
  /** Results of calls that the conversation doesn't have are taken, as text of the user. */
  readonly lenient?: boolean;
}

/** What `/v1/responses` may say of earlier answers: items are referred to by their ids. */
export interface DecodeOptions extends CheckOptions {
  /** Items as they went out. A reference to one that isn't there is refused by name. */
  readonly items?: { get(id: string): object | undefined };
  /** Is given each item of the answer that may be referred to later, unless the request says `store: false`. */
  readonly keep?: (id: string, item: object) => void;
}

/** A caller's request in canonical form, and how the answer is wanted. */
export interface DecodedRequest {
  readonly request: ModelRequest;
  readonly stream: boolean;
  /** The caller reads usage in the stream. Chat callers ask for it; the other dialects always have it. */
  readonly includeUsage: boolean;
  /** What the dialect needs of the request to write the answer; nobody else looks into it. It goes into `AnswerMeta.echo`. */
  readonly echo?: object;
  /** What was left out because no other vendor's model can use it: sentences for the log. */
  readonly notes?: readonly string[];
}

/** What an answer says about itself besides its content. */
export interface AnswerMeta {
  readonly id: string;
  /** The name that the caller asked for. */
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly includeUsage: boolean;
  /** From the decoded request: `/v1/responses` can't be answered without. */
  readonly echo?: object;
}

/** Where a relayed request goes. */
export interface RelayTarget {
  /** The upstream's name of the model. */
  readonly model: string;
  readonly quirks: Quirks;
  readonly stream: boolean;
}

/** A caller's body, made fit for an upstream of the same dialect. */
export interface PreparedRelay extends WatchOptions {
  readonly text: string;
  /** Fields that the server couldn't be told, such as `tool_choice`: for log and header. */
  readonly unenforced?: readonly string[];
}

/** How a relayed stream is watched. */
export interface WatchOptions {
  /** Only where some tool name had to be changed: turns the names of the answer back. */
  readonly names?: ToolNames;
  /** The caller didn't ask for the usage that the upstream was asked for. */
  readonly swallowUsage?: boolean;
  /** Calls after the first one are left out: the server can't be told. */
  readonly onlyFirstCall?: boolean;
}

/** A JSON answer of an upstream as the caller gets it. */
export interface RelayedText {
  readonly text: string;
  readonly usage?: Usage;
}

/** An error as an HTTP answer. */
export interface EncodedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}
