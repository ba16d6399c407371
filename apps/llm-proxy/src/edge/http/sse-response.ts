import type { ServerResponse } from 'node:http';
import type { SseOptions, SseWriter } from '../../core/serve/route.js';

const HEAD = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' };

export interface SseResponseOptions extends SseOptions {
  readonly keepaliveMs: number;
  /** Told once, when the head is written. */
  readonly onBegin: () => void;
  /** The events of an error in the caller's dialect. */
  readonly encodeFailure: (error: unknown) => string;
}

/** Texts of one turn of the loop that are written at once before it ends. */
const MOST_TOGETHER = 16 * 1024;

/**
 * A stream of server-sent events on a response of Node's. Events that come in the same turn of the loop go out together at its end: a chunk
 * of its own for each costs more than to make it.
 */
export class SseResponse implements SseWriter {
  private together = '';
  private begunNow = false;
  private closedNow = false;
  private drained: Promise<void> | undefined;
  private readonly silence: NodeJS.Timeout;

  constructor(
    private readonly response: ServerResponse,
    private readonly options: SseResponseOptions,
  ) {
    this.silence = setTimeout(this.keepAlive, options.keepaliveMs);
    response.once('close', () => this.disarm());
  }

  get begun(): boolean {
    return this.begunNow;
  }

  get closed(): boolean {
    return this.closedNow;
  }

  write(events: string | Uint8Array): Promise<void> | undefined {
    if (this.closedNow || events.length === 0) return undefined;
    this.begin();
    this.silence.refresh();
    if (typeof events === 'string') {
      if (this.together === '') process.nextTick(this.flush);
      this.together += events;
      if (this.together.length >= MOST_TOGETHER) this.flush();
    } else {
      this.flush();
      this.response.write(events);
    }
    return this.response.writableNeedDrain ? (this.drained ??= this.untilDrained()) : undefined;
  }

  end(): void {
    if (this.closedNow) return;
    this.begin();
    this.flush();
    this.disarm();
    this.response.end();
  }

  fail(error: unknown, events?: string): void {
    if (this.closedNow) return;
    this.begin();
    this.flush();
    this.disarm();
    const encoded = this.options.encodeFailure(error); // it is noted there
    // The connection stays: a client that takes it for its next request must not find it closed at that moment.
    this.response.end(events ?? encoded);
  }

  /** Nothing is written any more, not even the head. */
  disarm(): void {
    this.closedNow = true;
    clearTimeout(this.silence);
  }

  private begin(): void {
    if (this.begunNow) return;
    this.response.writeHead(200, { ...HEAD, ...this.options.headers?.() });
    this.begunNow = true; // not before: a head that can't be written leaves room for an error
    this.options.onBegin();
  }

  private readonly flush = (): void => {
    const events = this.together;
    if (events === '' || this.closedNow) return;
    this.together = '';
    this.response.write(events);
  };

  private readonly keepAlive = (): void => {
    this.begin();
    if (!this.response.writableNeedDrain) this.response.write(this.options.keepalive);
    this.silence.refresh();
  };

  private untilDrained(): Promise<void> {
    return new Promise<void>((resolve) => {
      const done = () => {
        this.drained = undefined;
        this.response.off('drain', done).off('close', done);
        resolve();
      };
      this.response.on('drain', done).on('close', done);
    });
  }
}
