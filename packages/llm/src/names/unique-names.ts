/**
 * Gives each name once: the first time as it is, then with `_2`, `_3` … behind it, whichever is free, also where somebody wants a name that
 * was made here. All names together take time in proportion to their number, whatever they are: the search for one begins where the last
 * one for it ended, and a caller could otherwise block the process with one name many times.
 */
export class UniqueNames {
  private readonly given = new Set<string>();
  /** The next number to try, for names that were wanted again. */
  private readonly next = new Map<string, number>();

  /** `wanted`, or the first of `wanted_2`, `wanted_3` … that was not given yet. */
  give(wanted: string): string {
    const name = this.given.has(wanted) ? this.number(wanted) : wanted;
    this.given.add(name);
    return name;
  }

  private number(wanted: string): string {
    let number = this.next.get(wanted) ?? 2;
    while (this.given.has(`${wanted}_${number}`)) number++;
    this.next.set(wanted, number + 1);
    return `${wanted}_${number}`;
  }
}
