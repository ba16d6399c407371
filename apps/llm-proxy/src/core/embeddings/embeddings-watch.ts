import { LlmError, type StreamWatch, type Usage } from '@codelab/llm';

/** The usage stands before the vectors or behind them, within this many bytes. */
const LOOKED_AT_BYTES = 4_096;

const USAGE = /"usage"\s*:\s*\{[^}]*?"(?:prompt|total)_tokens"\s*:\s*(\d+)/;

const [BRACE, CLOSING_BRACE] = [123, 125];
const isBlank = (byte: number): boolean => byte === 32 || byte === 9 || byte === 10 || byte === 13;

/**
 * Watches an answer with embeddings go by, of any length, and holds none of it but its two ends: there the usage stands. What doesn't begin like
 * JSON goes to nobody (L1).
 */
export class EmbeddingsWatch implements StreamWatch {
  readonly whole = false;
  private head = Buffer.alloc(0);
  private tail = Buffer.alloc(0);
  private begunNow = false;

  get begun(): boolean {
    return this.begunNow;
  }

  get usage(): Usage | undefined {
    const [, tokens] = USAGE.exec(this.tail.toString('latin1')) ?? USAGE.exec(this.head.toString('latin1')) ?? [];
    return tokens === undefined ? undefined : { inputTokens: Number(tokens), outputTokens: 0 };
  }

  push(bytes: Uint8Array): Uint8Array {
    if (!this.begunNow) {
      const first = bytes.find((byte) => !isBlank(byte));
      if (first === undefined) return bytes;
      if (first !== BRACE)
        throw new LlmError('unavailable', 'The model provider answered with something that is no JSON.', { retryable: false });
      this.begunNow = true;
    }
    if (this.head.length < LOOKED_AT_BYTES) this.head = Buffer.concat([this.head, bytes.subarray(0, LOOKED_AT_BYTES - this.head.length)]);
    const last = bytes.subarray(-LOOKED_AT_BYTES);
    this.tail = Buffer.concat([this.tail.subarray(Math.max(0, this.tail.length + last.length - LOOKED_AT_BYTES)), last]);
    return bytes;
  }

  end(): Uint8Array {
    const closing = this.tail.findLast((byte) => !isBlank(byte));
    if (closing !== CLOSING_BRACE) throw new LlmError('stream_interrupted', 'The answer of the model provider broke off.');
    return new Uint8Array();
  }
}
