import { LlmError, type StreamWatch } from '@codelab/llm';
import type { RelayedAnswer } from '../upstreams/upstream.js';
import type { ByteWriter } from './route.js';

/** How long the end of a body may take after the answer is whole; then its connection is closed instead of kept. */
const READ_OUT_MS = 1_000;

/**
 * A stream on its way from an upstream to a caller of the same dialect. What comes is held until it means something, so that an upstream
 * that fails before can be asked again or replaced; from then on bytes go through as they come, at the pace of the slower side.
 */
export class RelayStream {
  /** Bytes that went on to the caller. */
  bytes = 0;
  private readonly held: Uint8Array[] = [];
  private readonly begunNow: Promise<void>;
  private begin!: () => void;
  private failBegin!: (failure: Error) => void;
  private writer: Writer | undefined;
  private failure: Error | undefined;
  private isOver = false;
  /** Tells `pipe`, once it waits. */
  private settle: (() => void) | undefined;
  private readingOut: NodeJS.Timeout | undefined;

  constructor(
    private readonly answer: RelayedAnswer,
    readonly watch: StreamWatch,
  ) {
    this.begunNow = new Promise((resolve, reject) => {
      this.begin = resolve;
      this.failBegin = reject;
    });
    answer.pour({ data: (bytes) => this.take(bytes), end: (failure) => this.ended(failure) });
  }

  /** Resolves when something came that means something; rejects with the `LlmError` of a stream that failed before. */
  begun(): Promise<void> {
    return this.begunNow;
  }

  /** Writes everything to the caller. Resolves when the answer is whole; rejects with an `LlmError`. What was written stays written. */
  async pipe(writer: Writer): Promise<void> {
    this.writer = writer;
    for (const bytes of this.held.splice(0)) this.write(bytes, writer);
    if (!this.isOver) await new Promise<void>((resolve) => (this.settle = resolve));
    if (this.failure) throw this.failure;
  }

  private take(bytes: Uint8Array): boolean {
    if (this.isOver) return true; // what stands behind the end mark
    let goesOn = true;
    try {
      goesOn = this.give(this.watch.push(bytes));
      if (this.watch.whole) this.finish();
    } catch (error) {
      this.over(toFailure(error));
      this.answer.drop();
    }
    return goesOn;
  }

  /** The end mark came. The caller has the whole answer; the connection is kept if its end follows soon. */
  private finish(): void {
    this.give(this.watch.end());
    this.over();
    this.readingOut = setTimeout(() => this.answer.drop(), READ_OUT_MS).unref();
  }

  private ended(failure: LlmError | undefined): void {
    clearTimeout(this.readingOut);
    if (this.isOver) return;
    try {
      if (failure) throw failure;
      this.give(this.watch.end());
      this.over();
    } catch (error) {
      this.over(toFailure(error));
    }
  }

  private over(failure?: Error): void {
    this.isOver = true;
    this.failure = failure;
    if (failure) this.failBegin(failure);
    else this.begin();
    this.settle?.();
  }

  private give(bytes: Uint8Array): boolean {
    const goesOn = bytes.length === 0 || this.hold(bytes);
    if (this.watch.begun) this.begin();
    return goesOn;
  }

  private hold(bytes: Uint8Array): boolean {
    if (this.writer) return this.write(bytes, this.writer);
    this.held.push(bytes);
    return true;
  }

  private write(bytes: Uint8Array, writer: Writer): boolean {
    this.bytes += bytes.length;
    const full = writer.write(bytes);
    if (full) void full.then(() => this.answer.goOn());
    return full === undefined;
  }
}

type Writer = Pick<ByteWriter, 'write'>;

const toFailure = (error: unknown): Error =>
  error instanceof Error ? error : new LlmError('stream_interrupted', 'The answer of the model broke off.');
