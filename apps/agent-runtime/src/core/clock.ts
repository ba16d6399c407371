/** Time, as something that is handed in: tests have their own. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Runs a function once, after a while. Returns how to prevent it. */
  after(delayMs: number, run: () => void): () => void;
}

/** The longest delay that a timer of Node can have. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), MAX_DELAY_MS));
    return () => clearTimeout(timer);
  },
};
