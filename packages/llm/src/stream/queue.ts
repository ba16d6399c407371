/** First in, first out. Taking the first one moves none of the others: a list's `shift` does, and thousands may wait. */
export class Queue<T> {
  private items: T[] = [];
  /** Those before it were taken. */
  private begin = 0;

  get first(): T | undefined {
    return this.items[this.begin];
  }

  get last(): T | undefined {
    return this.items.at(-1);
  }

  /** Those that wait, as they stand now. */
  get all(): readonly T[] {
    return this.items.slice(this.begin);
  }

  add(item: T): void {
    this.items.push(item);
  }

  /** Takes the first one out. Those that were taken are let go once they are more than those that wait. */
  drop(): void {
    if (this.begin < this.items.length) this.begin++;
    if (2 * this.begin < this.items.length) return;
    this.items = this.items.slice(this.begin);
    this.begin = 0;
  }
}
