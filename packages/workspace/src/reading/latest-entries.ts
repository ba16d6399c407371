/** The latest of many things that come in the order of their names: of two of the same time the one that came first is first. */
export class LatestEntries<T> {
  /** How many came. */
  seen = 0;
  private kept: { readonly value: T; readonly time: number; readonly place: number }[] = [];

  /** @param limit how many are kept; memory is bounded by it */
  constructor(
    private readonly limit: number,
    private readonly timeOf: (value: T) => number,
  ) {}

  add(value: T): void {
    this.kept.push({ value, time: this.timeOf(value), place: this.seen });
    this.seen += 1;
    if (this.kept.length > 2 * this.limit + 1_024) this.shrink();
  }

  /** Latest first. */
  get entries(): T[] {
    this.shrink();
    return this.kept.map(({ value }) => value);
  }

  private shrink(): void {
    this.kept = this.kept.sort((one, other) => other.time - one.time || one.place - other.place).slice(0, this.limit);
  }
}
