import type { Owner } from './session-ref.js';

/** How long a hand-over is remembered after it was last asked for: an hour. */
export const HANDOVER_TTL_MS = 3_600_000;
/** What is remembered of one at most; a longer one is not, and its rounds are lost to the model. */
export const MAX_HANDOVER_BYTES = 8 * 1024 * 1024;

/**
 * What a program was not told when it was handed calls that only it can run: the rounds before, found again by the names of those calls.
 * Visible to the owner only (S1). Methods throw `BusError` when Redis is away.
 */
export interface Handovers {
  /** Remembers `rounds`, opaque text, under the names of the calls. `false`: it is too long. */
  keep(owner: Owner, callIds: readonly string[], rounds: string): Promise<boolean>;
  /** What is remembered under each name; names that are not known are left out. */
  find(owner: Owner, callIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
