/** The time of a run. It counts the machine's monotonic clock, which all processes of a machine share, from `origin`. */
export interface RunClock {
  /** Nanoseconds of the monotonic clock when the run began; another process of the run is started with it. */
  readonly origin: bigint;
  /** Milliseconds since the run began, to the microsecond. */
  at(): number;
}

export const startRunClock = (origin: bigint = process.hrtime.bigint()): RunClock => ({
  origin,
  at: () => Number((process.hrtime.bigint() - origin) / 1000n) / 1000,
});
