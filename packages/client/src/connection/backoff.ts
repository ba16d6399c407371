/** How long to wait before the next attempt. */
export interface Backoff {
  /** Upper bound of the first wait, in milliseconds. */
  readonly firstMs: number;
  /** Upper bound of every wait. */
  readonly maxMs: number;
  readonly factor: number;
}

/** From a quarter of a second to 15 seconds, doubling. */
export const DEFAULT_BACKOFF: Backoff = { firstMs: 250, maxMs: 15_000, factor: 2 };

/**
 * The wait before attempt `attempt` (1 is the first after a failure): between half of an exponentially growing bound and all of it, so
 * that clients which lost the same gateway don't come back in step, and none comes back at once.
 */
export function backoffDelay(attempt: number, backoff: Backoff, random: () => number = Math.random): number {
  const bound = Math.min(backoff.maxMs, backoff.firstMs * backoff.factor ** Math.max(0, attempt - 1));
  return Math.round(bound * (0.5 + random() * 0.5));
}
