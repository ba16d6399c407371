interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** Time that a test moves. Timers that are due run in their order, each at its own time. */
export class FakeClock {
  private nowMs: number;
  private timers: Timer[] = [];

  constructor(startMs = 1_700_000_000_000) {
    this.nowMs = startMs;
  }

  now(): number {
    return this.nowMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer: Timer = { atMs: this.nowMs + Math.max(delayMs, 0), run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  /** Timers that wait. */
  get waiting(): number {
    return this.timers.length;
  }

  /** Lets time pass, and what is due happen; between two timers whatever was promised is done. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.nowMs + byMs;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const due = this.timers.filter(({ atMs }) => atMs <= untilMs).sort((one, other) => one.atMs - other.atMs)[0];
      if (due === undefined) break;
      this.timers = this.timers.filter((timer) => timer !== due);
      this.nowMs = Math.max(this.nowMs, due.atMs);
      due.run();
    }
    this.nowMs = untilMs;
  }
}
