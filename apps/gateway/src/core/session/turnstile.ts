/**
 * Lets so many in at a time, the others in the order in which they came. When a gateway dies its clients come back all at once: opened one
 * after the other their sessions are there as soon, and the memory that an opening takes is needed for a few of them only (G4).
 */
export class Turnstile {
  private inside = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly places: number) {}

  /** Runs `work` when it is its turn. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.inside >= this.places) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.inside += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift(); // takes the place over
      if (next === undefined) this.inside -= 1;
      else next();
    }
  }
}
