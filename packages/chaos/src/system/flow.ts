import type { Socket } from 'node:net';

/** What waits in a flow before its source is asked to pause. */
const MOST_HELD_BYTES = 1024 * 1024;

/** One direction of a connection: bytes from one socket to another, as they come, or held, or late. */
export class Flow {
  private readonly waiting: { readonly bytes: Buffer; readonly dueMs: number }[] = [];
  private waitingBytes = 0;
  private isHeld = false;
  private delayMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private halves = false;

  constructor(
    private readonly source: Socket,
    private readonly sink: Socket,
    private readonly cut: () => void,
  ) {
    source.on('data', (bytes: Buffer) => this.take(bytes));
    source.on('end', () => this.finish());
    sink.on('drain', () => this.pump());
  }

  /** Holds what comes, as a line that loses everything; `false` lets it go on, in order. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
    this.pump();
  }

  delay(ms: number): void {
    this.delayMs = ms;
    this.pump();
  }

  /** Lets half of the next bytes through and cuts the connection; `false`: not any more. */
  halve(isHalved: boolean): void {
    this.halves = isHalved;
  }

  end(): void {
    clearTimeout(this.timer);
    this.waiting.length = 0;
  }

  private take(bytes: Buffer): void {
    if (this.halves) {
      this.sink.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => this.cut());
      this.halves = false;
      this.isHeld = true;
      return;
    }
    this.waiting.push({ bytes, dueMs: performance.now() + this.delayMs });
    this.waitingBytes += bytes.length;
    if (this.waitingBytes > MOST_HELD_BYTES) this.source.pause();
    this.pump();
  }

  private pump(): void {
    clearTimeout(this.timer);
    while (!this.isHeld && this.waiting.length > 0 && !this.sink.writableNeedDrain) {
      const leftMs = this.waiting[0]!.dueMs - performance.now();
      if (leftMs > 0) {
        this.timer = setTimeout(() => this.pump(), leftMs);
        return;
      }
      const { bytes } = this.waiting.shift()!;
      this.waitingBytes -= bytes.length;
      this.sink.write(bytes);
    }
    if (this.waitingBytes <= MOST_HELD_BYTES) this.source.resume();
    if (this.waiting.length === 0 && this.source.readableEnded && !this.isHeld) this.sink.end();
  }

  private finish(): void {
    if (this.waiting.length === 0 && !this.isHeld) this.sink.end();
  }
}
