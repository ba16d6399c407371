/** Tokens of one request. `inputTokens` is all input, cached or not; `costUsd` only where a price is known. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input: read from the provider's cache. */
  readonly cachedInputTokens?: number;
  /** Of the input: written to the provider's cache. */
  readonly cacheWriteTokens?: number;
  /** Of the output: thought, not said. */
  readonly reasoningTokens?: number;
  readonly costUsd?: number;
}

/** Why a model stopped. `length` wins over `tool_calls`: a call that was cut off must not run. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter';

/**
 * One event of an answer as it arrives.
 *
 * A call is `tool_call_start`, any number of `tool_call_delta`, `tool_call_end`; `index` counts the calls of the answer from 0
 * in the order of their starts, ids are unique within the answer. Deltas of two calls may alternate. A thought is any number of
 * `thinking_delta`, the last one with its `signature` if it has one; text or a call after it ends it. `finish` comes last and
 * exactly once; an answer that ends without it was interrupted, and the stream throws an `LlmError` instead.
 */
export type StreamPart =
  | { readonly kind: 'text_delta'; readonly text: string }
  | { readonly kind: 'thinking_delta'; readonly text: string; readonly signature?: string }
  | { readonly kind: 'redacted_thinking'; readonly data: string }
  | {
      readonly kind: 'tool_call_start';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      /** The provider gave the call no id, or one that this answer has already: `id` is ours. */
      readonly isMadeUp?: true;
    }
  | { readonly kind: 'tool_call_delta'; readonly index: number; readonly arguments: string }
  | { readonly kind: 'tool_call_end'; readonly index: number }
  | {
      readonly kind: 'finish';
      readonly reason: FinishReason;
      readonly usage?: Usage;
      /** The provider's word for it where that is none that we know; `?` where it is no word. For logs. */
      readonly unknownReason?: string;
      /** The text of `ModelRequest.stop` that ended the answer, where the provider says so. */
      readonly stopSequence?: string;
    };
