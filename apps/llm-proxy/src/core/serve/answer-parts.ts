import type { FinishReason, StreamPart, Usage } from '@codelab/llm';
import type { Dialect } from '../dialect.js';
import type { Exchange } from './route.js';

/** What an answer is headed with. */
export interface AnswerMeta {
  readonly id: string;
  readonly model: string;
  /** Unix seconds. */
  readonly created: number;
  /** Whether a chat stream ends with a chunk of its usage. */
  readonly includeUsage: boolean;
}

/** A part of an answer, or a whole server-sent event of ours between the parts: streams only, left out of JSON answers. */
export type AnswerEvent = StreamPart | { readonly kind: 'event'; readonly text: string };

export interface AnswerOptions {
  readonly dialect: Dialect;
  /** Server-sent events as they come, or one JSON answer at the end. */
  readonly stream: boolean;
  readonly meta: AnswerMeta;
  /** Read when the head of the answer is written: at the first part of a stream, at the end of a JSON answer. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

/** What became of an answer. */
export interface AnswerEnd {
  readonly finish?: FinishReason;
  readonly usage?: Usage;
  /** Characters of text, thoughts and arguments that came: what an estimate of the output is made from where nobody counted. */
  readonly characters: number;
  /** Why a stream that had begun was broken off; it was told to the caller. `cancelled`: the caller left. */
  readonly failure?: Error;
}

/**
 * Writes an answer in the caller's dialect as its parts come. The head goes out with the first part, or after `keepaliveMs` without one;
 * what `parts` throws before that is thrown on, so that the answer can have its true status; later it ends the stream as an error event.
 * The parts are left (their `return` is called) within a moment of the caller's hanging up.
 */
export declare function answerParts(exchange: Exchange, parts: AsyncIterable<AnswerEvent>, options: AnswerOptions): Promise<AnswerEnd>;
