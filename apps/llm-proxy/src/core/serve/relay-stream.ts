import type { Readable } from 'node:stream';
import { LlmError, type StreamWatch } from '@codelab/llm';
import type { SseWriter } from './route.js';

/** How long the end of a body may take after the answer is whole; then its connection is closed instead of kept. */
const READ_OUT_MS = 1_000;

/**
 * A stream on its way from an upstream to a caller of the same dialect. What comes is held until it means something, so that an upstream
 * that fails before can be asked again or replaced; from then on bytes go through as they come, at the pace of the slower side.
 */
export class RelayStream {
  /** Bytes that went on to the caller. */
  bytes = 0;
  readonly #held: Uint8Array[] = [];
  #writer: SseWriter | undefined;
  #isOver = false;
  readonly #begun: Promise<void>;
  readonly #over: Promise<void>;
  #begin!: () => void;
  #end!: (failure?: Error) => void;

  constructor(
    private readonly body: Readable,
    readonly watch: StreamWatch,
  ) {
    this.#over = new Promise<void>((resolve, reject) => {
      this.#end = (failure) => {
        if (this.#isOver) return;
        this.#isOver = true;
        if (failure === undefined) resolve();
        else reject(failure);
      };
    });
    const begun = new Promise<void>((resolve) => (this.#begin = resolve));
    this.#begun = Promise.race([begun, this.#over]);
    this.#begun.catch(() => undefined); // whoever waits for it hears of it
    this.#over.catch(() => undefined);
    body.on('data', this.#take);
    body.once('end', () => this.#finish());
    body.once('error', (error) => this.#end(error));
    body.once('close', () => this.#end(new LlmError('stream_interrupted', 'The answer of the model broke off.')));
  }

  /** Resolves when something came that means something; rejects with the `LlmError` of a stream that failed before. */
  begun(): Promise<void> {
    return this.#begun;
  }

  /** Writes everything to the caller. Resolves when the answer is whole; rejects with an `LlmError`. What was written stays written. */
  async pipe(writer: SseWriter): Promise<void> {
    this.#writer = writer;
    for (const bytes of this.#held.splice(0)) this.#write(bytes, writer);
    await this.#over;
  }

  /** Nobody wants it: the connection is closed at once. */
  drop(): void {
    this.body.destroy();
  }

  readonly #take = (chunk: Uint8Array): void => {
    if (this.#isOver) return; // what stands behind the end mark
    try {
      this.#give(this.watch.push(chunk));
    } catch (error) {
      this.drop();
      return this.#end(toFailure(error));
    }
    if (!this.watch.whole) return;
    readOut(this.body);
    this.#finish();
  };

  #finish(): void {
    if (this.#isOver) return;
    try {
      this.#give(this.watch.end());
      this.#end();
    } catch (error) {
      this.#end(toFailure(error));
    }
  }

  #give(bytes: Uint8Array): void {
    if (bytes.length > 0) {
      if (this.#writer) this.#write(bytes, this.#writer);
      else this.#held.push(bytes);
    }
    if (this.watch.begun) this.#begin();
  }

  #write(bytes: Uint8Array, writer: SseWriter): void {
    this.bytes += bytes.length;
    const full = writer.write(bytes);
    if (!full) return;
    this.body.pause();
    void full.then(() => this.body.resume());
  }
}

const toFailure = (error: unknown): Error => (error instanceof Error ? error : new LlmError('stream_interrupted', 'The answer broke off.'));

/** Reads what is left of a body that nobody needs, so that its connection can be used again. */
export function readOut(body: Readable): void {
  const timer = setTimeout(() => body.destroy(), READ_OUT_MS);
  timer.unref();
  body.once('close', () => clearTimeout(timer));
  body.resume();
}
