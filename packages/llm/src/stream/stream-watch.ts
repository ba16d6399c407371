import type { Usage } from '../canonical/stream-part.js';

/**
 * Watches a stream that is relayed in its own dialect: gives on what the caller may read, byte for byte unless a client would break on it,
 * and knows what the answer came to.
 */
export interface StreamWatch {
  /**
   * Takes bytes as they came, cut anywhere, and gives those that go on to the caller now: whole events only, nothing held back that a client
   * can read. Throws `LlmError` for an error event of the provider (L1); what was given before stays given.
   */
  push(bytes: Uint8Array): Uint8Array;
  /** The provider closed the stream: gives what is left. Throws `stream_interrupted` if the answer is not whole. */
  end(): Uint8Array;
  /** Whether a part that means something was seen, such as text, a call, or the answer's beginning. */
  readonly begun: boolean;
  /** Whether `end` may be called now: the end mark of the dialect was seen, or an error, which `end` throws. Nothing more is to come. */
  readonly whole: boolean;
  /** What the provider counted, once it did. */
  readonly usage: Usage | undefined;
}
