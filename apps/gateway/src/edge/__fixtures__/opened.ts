/** What is open, and how it is closed. */
export class Opened {
  private readonly closings: (() => Promise<void>)[] = [];

  keep<T>(thing: T, close: (thing: T) => Promise<void>): T {
    this.closings.push(() => close(thing));
    return thing;
  }

  /** Closes all of it, the last that was opened first. */
  async close(): Promise<void> {
    for (let close = this.closings.pop(); close !== undefined; close = this.closings.pop()) await close();
  }
}
