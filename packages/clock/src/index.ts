/** Time, handed in so that tests can move it. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /**
   * Calls `run` once, `delayMs` milliseconds from now (a negative delay counts as 0).
   * @returns a function that cancels it
   */
  after(delayMs: number, run: () => void): () => void;
}

/** The longest delay that a timer of Node can have: above it a timer would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), MAX_DELAY_MS));
    return () => clearTimeout(timer);
  },
};
