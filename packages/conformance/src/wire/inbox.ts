import { Failure } from '../check.js';

interface Waiter<T> {
  readonly fits: (item: T) => boolean;
  readonly take: (item: T) => void;
  readonly giveUp: (why: string) => void;
}

/** Gives things out once each, in order, to whoever waits for one that fits; and says when something does not come. */
export class Inbox<T> {
  private readonly items: T[] = [];
  private readonly waiters = new Set<Waiter<T>>();
  private over: string | undefined;

  /** @param describe what was there, for a failure */
  constructor(private readonly describe: () => string) {}

  put(item: T): void {
    for (const waiter of this.waiters) {
      if (!waiter.fits(item)) continue;
      this.waiters.delete(waiter);
      waiter.take(item);
      return;
    }
    this.items.push(item);
  }

  /** The first that fits and that nobody took before. Fails when it does not come in time, or nothing comes any more. */
  take(what: string, fits: (item: T) => boolean, withinMs: number): Promise<T> {
    const at = this.items.findIndex(fits);
    if (at !== -1) return Promise.resolve(this.items.splice(at, 1)[0]!);
    const failed = (why: string): Failure => new Failure(`expected ${what}, but ${why}; there were: ${this.describe()}`);
    if (this.over !== undefined) return Promise.reject(failed(this.over));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => waiter.giveUp(`nothing came within ${String(withinMs)} ms`), withinMs);
      const waiter: Waiter<T> = {
        fits,
        take: (item) => {
          clearTimeout(timer);
          resolve(item);
        },
        giveUp: (why) => {
          clearTimeout(timer);
          this.waiters.delete(waiter);
          reject(failed(why));
        },
      };
      this.waiters.add(waiter);
    });
  }

  /** Takes one that fits if it comes in this time. */
  async maybe(fits: (item: T) => boolean, withinMs: number): Promise<T | undefined> {
    return this.take('', fits, withinMs).catch(() => undefined);
  }

  /** Forgets what fits and was not taken. */
  drop(fits: (item: T) => boolean): void {
    this.items.splice(0, Infinity, ...this.items.filter((item) => !fits(item)));
  }

  /** Nothing comes any more: `why`. */
  end(why: string): void {
    this.over = why;
    for (const waiter of [...this.waiters]) waiter.giveUp(why);
  }
}
