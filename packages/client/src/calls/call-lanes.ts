/** A call that may run as soon as its lane is free. */
export interface LaneJob {
  /** Calls run in the order in which they came, not in which they were decided. */
  readonly order: number;
  readonly unsafe: boolean;
  /** Starts it; resolves when the machine is free of it. Never rejects. */
  start(): Promise<void>;
}

/** Safe calls that run side by side; more than a model asks for at once. */
const MAX_SIDE_BY_SIDE = 16;

/**
 * Who runs when: safe calls side by side, unsafe ones one after another. A call that waits for a decision is in no lane, so it holds up
 * nobody. Unsafe calls begin only while the lane is open: a client that is offline can't know whether a call still stands.
 */
export class CallLanes {
  private readonly waiting = new Set<LaneJob>();
  private running = { safe: 0, unsafe: 0 };
  private open = false;

  add(job: LaneJob): void {
    this.waiting.add(job);
    this.advance();
  }

  /** Takes a job out that has not begun; `false`: it has, or was never in. */
  remove(job: LaneJob): boolean {
    return this.waiting.delete(job);
  }

  openUnsafe(open: boolean): void {
    this.open = open;
    this.advance();
  }

  private advance(): void {
    for (const job of [...this.waiting].sort((a, b) => a.order - b.order)) {
      const lane = job.unsafe ? 'unsafe' : 'safe';
      const free = job.unsafe ? this.open && this.running.unsafe === 0 : this.running.safe < MAX_SIDE_BY_SIDE;
      if (!free || !this.waiting.delete(job)) continue;
      this.running[lane] += 1;
      void job.start().finally(() => {
        this.running[lane] -= 1;
        this.advance();
      });
    }
  }
}
