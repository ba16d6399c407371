import type { Timers } from '../src/timers.js';

/** A clock that a test winds by hand. */
export class ManualTimers implements Timers {
  private time = 0;
  private readonly waiting = new Set<{ readonly at: number; readonly fire: () => void }>();

  now(): number {
    return this.time;
  }

  after(ms: number, fire: () => void): () => void {
    const timer = { at: this.time + ms, fire };
    this.waiting.add(timer);
    return () => this.waiting.delete(timer);
  }

  /** Timers that have neither fired nor been called off. */
  get pending(): number {
    return this.waiting.size;
  }

  /** Lets time pass, firing what is due in its order. */
  advance(ms: number): void {
    const until = this.time + ms;
    for (;;) {
      const [next] = [...this.waiting].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.waiting.delete(next);
      this.time = next.at;
      next.fire();
    }
    this.time = until;
  }
}
