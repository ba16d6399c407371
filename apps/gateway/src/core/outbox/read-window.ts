/** Bytes of the log that a client which acknowledges may be behind, before it is sent more. */
const WINDOW_BYTES = 4 * 1024 * 1024;

/**
 * Flow control by `ack` frames: what a client has been sent and has not said to have read. A client that never sends `ack` has no window;
 * its socket alone slows it.
 */
export class ReadWindow {
  private acknowledging = false;
  private unread = 0;
  private sent: { readonly seq: number; readonly bytes: number }[] = [];

  /** Notes a frame of the log that was handed to the socket. */
  note(seq: number, bytes: number): void {
    if (!this.acknowledging) return;
    this.sent.push({ seq, bytes });
    this.unread += bytes;
  }

  /** The client has read all up to `seq`. */
  acknowledge(seq: number): void {
    this.acknowledging = true;
    let read = 0;
    while (read < this.sent.length && this.sent[read]!.seq <= seq) this.unread -= this.sent[read++]!.bytes;
    this.sent = this.sent.slice(read);
  }

  /** What was sent before counts no more: the client gets a snapshot. */
  clear(): void {
    this.sent = [];
    this.unread = 0;
  }

  get isFull(): boolean {
    return this.unread > WINDOW_BYTES;
  }
}
