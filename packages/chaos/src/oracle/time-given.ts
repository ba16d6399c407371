import type { Story } from './story.js';

/** The gateway, Redis, the runtime, Redis, the gateway and the client: each waits for its turn on a machine that is late. */
const HOPS = 6;
/** However late the machine is. */
const UTMOST_MS = 15_000;

/**
 * How long something may take that takes `ms` where nothing else is to do, and is never asked to take less than `leastMs`. What the machine
 * was late counts for as long as may be waited: the worst may come after the first second.
 */
export function timeGiven(story: Story, from: number, ms: number, leastMs = ms): number {
  let givenMs = leastMs;
  for (;;) {
    const until = from + givenMs;
    const longer = Math.min(UTMOST_MS, ms + HOPS * story.worstDelay(from, until) + story.queuedMs(from, until));
    if (longer <= givenMs) return givenMs;
    givenMs = longer;
  }
}
