import type { ModelRequest, StreamPart } from '@codelab/llm';

/** Something that answers model requests: one upstream, or the built-in model. */
export interface Provider {
  /** For logs and metrics: `openai`, `offline`. */
  readonly name: string;
  /**
   * Asks once. The stream ends with `finish` or throws an `LlmError`, nothing else. When `signal` aborts the upstream connection
   * is closed at once and the stream throws `cancelled` (L2); a consumer that stops reading has the same effect.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamPart>;
}
