import type { ServerResponse } from 'node:http';
import type { SseOptions, SseWriter } from '../../core/serve/route.js';

const HEAD = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' };

export interface SseResponseOptions extends SseOptions {
  readonly keepaliveMs: number;
  /** Told once, just before the head goes out. */
  readonly onBegin: () => void;
  /** The events of an error in the caller's dialect. */
  readonly encodeFailure: (error: unknown) => string;
}

/** A stream of server-sent events on a response of Node's. */
export class SseResponse implements SseWriter {
  #begun = false;
  #closed = false;
  #drained: Promise<void> | undefined;
  readonly #silence: NodeJS.Timeout;

  constructor(
    private readonly response: ServerResponse,
    private readonly options: SseResponseOptions,
  ) {
    this.#silence = setTimeout(this.#keepAlive, options.keepaliveMs);
    response.once('close', () => this.disarm());
  }

  get begun(): boolean {
    return this.#begun;
  }

  get closed(): boolean {
    return this.#closed;
  }

  write(events: string | Uint8Array): Promise<void> | undefined {
    if (this.#closed || events.length === 0) return undefined;
    this.#begin();
    this.#silence.refresh();
    return this.response.write(events) ? undefined : (this.#drained ??= this.#untilDrained());
  }

  end(): void {
    if (this.#closed) return;
    this.#begin();
    this.disarm();
    this.response.end();
  }

  fail(error: unknown, events?: string): void {
    if (this.#closed) return;
    this.#begin();
    this.disarm();
    const encoded = this.options.encodeFailure(error); // it is noted there
    // The connection stays: a client that takes it for its next request must not find it closed at that moment.
    this.response.end(events ?? encoded);
  }

  /** Nothing is written any more, not even the head. */
  disarm(): void {
    this.#closed = true;
    clearTimeout(this.#silence);
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.options.onBegin();
    this.response.writeHead(200, { ...HEAD, ...this.options.headers?.() });
  }

  readonly #keepAlive = (): void => {
    this.#begin();
    if (!this.response.writableNeedDrain) this.response.write(this.options.keepalive);
    this.#silence.refresh();
  };

  #untilDrained(): Promise<void> {
    return new Promise<void>((resolve) => {
      const done = () => {
        this.#drained = undefined;
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.on('drain', done).on('close', done);
    });
  }
}
