import type { Clock } from '@codelab/clock';

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** Time that a test moves. Timers that are due run in their order, each at its own time. */
export class FakeClock implements Clock {
  private readonly timers = new Set<Timer>();

  constructor(private nowMs = 1_700_000_000_000) {}

  now(): number {
    return this.nowMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer: Timer = { atMs: this.nowMs + Math.max(delayMs, 0), run };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** How many timers have neither fired nor been canceled. */
  get pending(): number {
    return this.timers.size;
  }

  /** Lets time pass, and what is due happen; promises settle before each timer. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.nowMs + byMs;
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.runNext(untilMs));
    this.nowMs = untilMs;
  }

  /** As `advance`, but at once: promises settle only after the last timer. */
  advanceSync(byMs: number): void {
    const untilMs = this.nowMs + byMs;
    while (this.runNext(untilMs));
    this.nowMs = untilMs;
  }

  private runNext(untilMs: number): boolean {
    const [due] = [...this.timers].filter(({ atMs }) => atMs <= untilMs).sort((one, other) => one.atMs - other.atMs);
    if (due === undefined) return false;
    this.timers.delete(due);
    this.nowMs = Math.max(this.nowMs, due.atMs);
    due.run();
    return true;
  }
}
