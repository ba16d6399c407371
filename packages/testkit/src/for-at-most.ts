/**
 * A property whose runs end when so many milliseconds have passed: what is left of them passes without being tried. For
 * `fc.asyncProperty(…, forAtMost(8_000, async (…) => {…}))`. A run that has begun is awaited; fast-check's `interruptAfterTimeLimit` leaves it
 * behind instead, at work on what the next test uses.
 */
export function forAtMost<Args extends readonly unknown[]>(
  withinMs: number,
  run: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  let began: number | undefined;
  return async (...args) => {
    began ??= performance.now();
    if (performance.now() - began < withinMs) await run(...args);
  };
}
