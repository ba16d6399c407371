/** Time, so that tests need none. */
export interface Timers {
  /** Unix milliseconds. */
  now(): number;
  /** Calls `fire` once after `ms`; the returned function calls it off. */
  after(ms: number, fire: () => void): () => void;
}

/** The longest wait that Node can do; above it a timer would fire at once. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemTimers: Timers = {
  now: () => Date.now(),
  after: (ms, fire) => {
    const timer = setTimeout(fire, Math.min(ms, MAX_WAIT_MS));
    return () => clearTimeout(timer);
  },
};
