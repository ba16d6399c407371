import type { Clock } from '@codelab/clock';
import type { Progress } from '@modelcontextprotocol/client';
import { cleanLine } from '../lists/clean-text.js';

const EVERY_MS = 50;
const MAX_LINE = 500;

/** Tells lines of a running call, at most 20 a second: of those that come faster the newest is told. */
export class ProgressLines {
  private next: string | undefined;
  private cancelTimer: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly tell: ((line: string) => void) | undefined,
  ) {}

  progress({ progress, total, message }: Progress): void {
    const count = total === undefined ? `${progress}` : `${progress}/${total}`;
    this.line(message === undefined || message === '' ? count : `${count} ${message}`);
  }

  line(text: string): void {
    if (this.tell === undefined) return;
    if (this.cancelTimer !== undefined) {
      this.next = text;
      return;
    }
    this.tell(cleanLine(text, MAX_LINE));
    this.cancelTimer = this.clock.after(EVERY_MS, () => {
      this.cancelTimer = undefined;
      const { next } = this;
      this.next = undefined;
      if (next !== undefined) this.line(next);
    });
  }

  end(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    if (this.next !== undefined) this.tell?.(cleanLine(this.next, MAX_LINE));
    this.next = undefined;
  }
}
