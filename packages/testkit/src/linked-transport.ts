/** A message that was handed over and that the other side has not read yet. */
interface Unread {
  readonly text: string;
  readonly written: () => void;
}

/**
 * The in-memory twin of a socket, for a core that sees only `send` and `close`. What is sent is read at once, or, after `pause`, when the
 * test reads it: so a test decides how fast the other side is.
 */
export class LinkedTransport {
  /** What the other side has read, in order. */
  readonly received: string[] = [];
  /** How the connection was ended; nothing is read afterwards but what was sent before. */
  closedWith: { readonly code: number; readonly reason: string } | undefined;
  private unread: Unread[] = [];
  private isPaused = false;

  send(text: string, written: () => void): void {
    this.unread.push({ text, written });
    if (!this.isPaused) this.read();
  }

  close({ code, reason }: { readonly code: number; readonly reason: string }): void {
    this.closedWith = { code, reason };
    this.resume();
  }

  /** The other side reads nothing more by itself. */
  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.read();
  }

  /** The other side reads so many messages, all without a number. */
  read(messages = Infinity): void {
    for (let left = messages; left > 0; left -= 1) {
      const next = this.unread.shift();
      if (next === undefined) return;
      this.received.push(next.text);
      next.written();
    }
  }

  /** What was read, parsed. */
  get frames(): readonly Readonly<Record<string, unknown>>[] {
    return this.received.map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>);
  }
}
