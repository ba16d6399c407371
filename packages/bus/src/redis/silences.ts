import { BEAT_MS, SILENT_MS } from '../heartbeats.js';

/** A round that came later than this says little of what was meanwhile: the store may have been away, and the others, too. */
const LONGEST_ROUND_MS = 2 * BEAT_MS;

interface Known {
  readonly count: string;
  /** For how long it could have been heard, and wasn't. */
  readonly silentMs: number;
}

/**
 * What one worker knows of the others: how many beats each has counted, and for how long that number has not changed. Only time in which this
 * worker heard the store counts, so that a store that was away, or a process that was frozen, makes nobody else look dead.
 */
export class Silences {
  private known = new Map<string, Known>();
  private heardAtMs: number | undefined;

  /** Takes in a round: the counts of the others at `nowMs` of a clock that only goes forward. Returns who has been silent for too long. */
  hear(counts: Readonly<Record<string, string>>, nowMs: number): string[] {
    const roundMs = Math.min(nowMs - (this.heardAtMs ?? nowMs), LONGEST_ROUND_MS);
    this.heardAtMs = nowMs;
    const before = this.known;
    this.known = new Map(
      Object.entries(counts).map(([worker, count]) => {
        const last = before.get(worker);
        return [worker, { count, silentMs: last?.count === count ? last.silentMs + roundMs : 0 }];
      }),
    );
    return [...this.known].flatMap(([worker, { silentMs }]) => (silentMs >= SILENT_MS ? [worker] : []));
  }
}
