import type { Clock } from '@codelab/clock';

/** Messages that nobody asked for: how many a second are taken on average, and how many at once. */
const PER_SECOND = 100;
const BURST = 300;

/** So many beyond that within {@link FLOOD_MS} end the connection: reading them costs every other server its turn. */
const FLOOD = 5_000;
const FLOOD_MS = 10_000;

/** What becomes of one message that the server sent of its own accord. */
export type Admission = 'take' | 'drop' | 'flood';

/** Bounds what a server sends of its own accord: notifications and requests. Answers are as many as our requests. */
export class InboundBudget {
  private tokens = BURST;
  private filledAt: number;
  private dropped = 0;
  private countedFrom: number;

  constructor(private readonly clock: Clock) {
    this.filledAt = this.countedFrom = clock.now();
  }

  admit(): Admission {
    const now = this.clock.now();
    this.tokens = Math.min(BURST, this.tokens + ((now - this.filledAt) / 1_000) * PER_SECOND);
    this.filledAt = now;
    if (this.tokens >= 1) {
      this.tokens -= 1;
      return 'take';
    }
    if (now - this.countedFrom > FLOOD_MS) {
      this.countedFrom = now;
      this.dropped = 0;
    }
    this.dropped += 1;
    return this.dropped > FLOOD ? 'flood' : 'drop';
  }
}
