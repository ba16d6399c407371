import { BEAT_MS, SILENT_BEATS } from '../heartbeats.js';

/** After an outage workers come back one after the other: this long nobody is missed. */
const GRACE_MS = 2_000;
const GRACE_BEATS = Math.ceil(GRACE_MS / BEAT_MS);

interface Known {
  readonly count: string;
  /** Beats of ours since its last one; below 0, it is given time. */
  readonly missed: number;
}

/**
 * What one worker knows of the others: how many beats each has counted, and how often it has heard the same number again. It counts its own
 * rounds and no time, so that neither a store that hangs nor a machine that stands still makes the others look dead.
 */
export class Silences {
  private known = new Map<string, Known>();

  /** Takes in the counts of the others. Returns who has been silent for too long. */
  hear(counts: Readonly<Record<string, string>>): string[] {
    const before = this.known;
    this.known = new Map(
      Object.entries(counts).map(([worker, count]) => {
        const last = before.get(worker);
        return [worker, { count, missed: last?.count === count ? last.missed + 1 : 0 }];
      }),
    );
    return [...this.known].flatMap(([worker, { missed }]) => (missed >= SILENT_BEATS ? [worker] : []));
  }

  /** The store did not answer, so that others may not reach it either. */
  lose(): void {
    this.known = new Map([...this.known].map(([worker, { count }]) => [worker, { count, missed: -GRACE_BEATS }]));
  }
}
