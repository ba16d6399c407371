import type { LlmError } from '@codelab/llm';
import type { RelayedAnswer } from '../upstream.js';

/** Bytes that wait for their reader, at most: then the connection is held back. */
const MAX_WAITING_BYTES = 64 * 1024;

/** How long the end of a body may take after the answer is whole; then its connection is closed instead of kept. */
const READ_OUT_MS = 1_000;

const DONE = { done: true, value: undefined } as const;

/**
 * The body of an answer for one who iterates over it: what came is given before a failure is thrown. To leave the iteration closes the connection.
 * Costs a fraction of what a stream of Node's does.
 */
export class AnswerBody implements AsyncIterableIterator<Buffer> {
  private pieces: Buffer[] = [];
  private waitingBytes = 0;
  /** Nothing more comes. */
  private over: { readonly failure: LlmError | undefined } | undefined;
  /** Tells the reader who waits. */
  private wake: (() => void) | undefined;
  private isPassedOver = false;
  private closing: NodeJS.Timeout | undefined;

  constructor(private readonly answer: Pick<RelayedAnswer, 'pour' | 'goOn' | 'drop'>) {
    answer.pour({ data: (bytes) => this.take(bytes), end: (failure) => this.end(failure) });
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    if (this.pieces.length === 0 && this.over === undefined) await new Promise<void>((resolve) => (this.wake = resolve));
    const value = this.pieces.shift();
    if (value !== undefined) {
      this.waitingBytes -= value.length;
      if (this.pieces.length === 0) this.answer.goOn();
      return { done: false, value };
    }
    if (this.over?.failure && !this.isPassedOver) throw this.over.failure;
    return DONE;
  }

  /** Closes the connection, unless the rest is passed over. */
  async return(): Promise<IteratorResult<Buffer, undefined>> {
    if (!this.isPassedOver) this.answer.drop();
    return DONE;
  }

  /** Lets the rest pass, so that its connection can be kept: the answer is whole, and nobody reads what follows. */
  passOver(): void {
    this.isPassedOver = true;
    this.pieces = [];
    if (this.over) return;
    this.closing = setTimeout(() => this.answer.drop(), READ_OUT_MS).unref();
    this.answer.goOn();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private take(bytes: Buffer): boolean {
    if (this.isPassedOver) return true;
    this.pieces.push(bytes);
    this.waitingBytes += bytes.length;
    this.wake?.();
    return this.waitingBytes < MAX_WAITING_BYTES;
  }

  private end(failure: LlmError | undefined): void {
    this.over = { failure };
    clearTimeout(this.closing);
    this.wake?.();
  }
}
