/** Bytes that wait to be written in this process, over all connections: many slow readers together are bounded too (G4). */
export class OutboxBudget {
  private used = 0;

  /** @param limit bytes that may wait in all */
  constructor(readonly limit: number) {}

  get bytes(): number {
    return this.used;
  }

  /** Counts what was put into a queue, or, negative, what left it. */
  add(bytes: number): void {
    this.used += bytes;
  }

  /** Whether this much more may wait. */
  fits(bytes: number): boolean {
    return this.used + bytes <= this.limit;
  }
}
