import {
  chat,
  messages,
  responses,
  type AnswerMeta,
  type ApiError,
  type CheckOptions,
  type DecodedRequest,
  type EncodedError,
  type PreparedRelay,
  type RelayedText,
  type RelayTarget,
  type StreamPart,
  type StreamWatch,
  type ToolNames,
  type WatchOptions,
} from '@codelab/llm';
import type { Dialect } from '../dialect.js';

/** Turns the parts of an answer into the events of a dialect: whole events, or nothing yet. */
export interface PartEncoder {
  start(): string;
  push(part: StreamPart): string;
  /** The end mark, after the finish. */
  end(): string;
  /** Ends the answer with an error, where the dialect says more then than `encodeStreamError`. */
  fail?(error: ApiError): string;
}

/** How a body is read: `items` and `keep` concern `/v1/responses` only. */
export type DecodeOptions = NonNullable<Parameters<typeof responses.decodeRequest>[2]>;

/** What we do in every dialect that callers speak. */
export interface DialectCodec {
  decodeRequest(body: unknown, raw: string, options: DecodeOptions): DecodedRequest;
  /** The text of a body with the arguments of earlier calls in the form that the dialect has for them. */
  mendArguments(raw: string, body: unknown): string;
  checkRequest(body: unknown, options: CheckOptions): void;
  prepareRelay(raw: string, body: unknown, to: RelayTarget): PreparedRelay;
  watchStream(options: WatchOptions): StreamWatch;
  relayAnswer(text: string, names?: ToolNames, options?: Pick<WatchOptions, 'onlyFirstCall'>): RelayedText;
  readonly StreamEncoder: new (meta: AnswerMeta) => PartEncoder;
  encodeAnswer(parts: readonly StreamPart[], meta: AnswerMeta): object | string;
  encodeError(error: ApiError, requestId: string): EncodedError;
  encodeStreamError(error: ApiError, requestId: string): string;
  readonly keepalive: string;
  /** An answer in one piece as parts: for upstreams that send one though a stream was asked for. */
  decodeAnswer?(text: string, names?: ToolNames): Iterable<StreamPart>;
}

export const CODECS: Readonly<Record<Dialect, DialectCodec>> = {
  chat,
  messages,
  responses: { ...responses, encodeStreamError: (error) => responses.encodeStreamError(error) },
};

/** How the ids of answers begin in each dialect. */
export const ANSWER_IDS: Readonly<Record<Dialect, string>> = { chat: 'chatcmpl-', messages: 'msg_', responses: 'resp_' };
