/** Tells how long something lasts. It only goes forward: a machine whose time is set meanwhile changes nothing that depends on it. */
export interface SteadyClock {
  /** Milliseconds since some moment that means nothing. */
  now(): number;
}

/** That of this process. */
export const steadyClock: SteadyClock = { now: () => performance.now() };
