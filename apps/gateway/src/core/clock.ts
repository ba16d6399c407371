/** Time, so that tests need none. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Calls `fire` once after `ms`; the returned function calls it off. */
  after(ms: number, fire: () => void): () => void;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, fire) => {
    const timer = setTimeout(fire, ms);
    return () => clearTimeout(timer);
  },
};
