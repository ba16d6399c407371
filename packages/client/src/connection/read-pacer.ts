import type { Clock } from '@codelab/clock';

/** Frames, and bytes, after which the servers are told how far this client has read. They wait after 4 MB that nobody acknowledged. */
const FRAMES = 64;
const BYTES = 512 * 1024;

/** They are told of the last frames after this time, in milliseconds. */
const TRAILING_MS = 1_000;

/** Sends `ack` often enough for flow control and no more. Lives as long as one socket. */
export class ReadPacer {
  private acknowledged: number;
  private read: number;
  private unsaidBytes = 0;
  private callOff: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    from: number,
    private readonly acknowledge: (seq: number) => void,
  ) {
    this.acknowledged = from;
    this.read = from;
  }

  /** @param length of the frame's text; close enough to its bytes */
  handled(seq: number, length: number): void {
    this.read = seq;
    this.unsaidBytes += length;
    if (this.read - this.acknowledged >= FRAMES || this.unsaidBytes >= BYTES) this.flush();
    else this.callOff ??= this.clock.after(TRAILING_MS, () => this.flush());
  }

  /** The log was entered at another place. */
  restart(seq: number): void {
    this.stop();
    this.acknowledged = this.read = seq;
    this.unsaidBytes = 0;
  }

  stop(): void {
    this.callOff?.();
    this.callOff = undefined;
  }

  private flush(): void {
    this.stop();
    this.unsaidBytes = 0;
    if (this.read <= this.acknowledged) return;
    this.acknowledged = this.read;
    this.acknowledge(this.read);
  }
}
