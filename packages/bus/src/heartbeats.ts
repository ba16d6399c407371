import type { Sid } from './session-ref.js';

/** How often a worker says that it lives: one round trip for all that it holds. */
export const BEAT_MS = 300;

/** So many beats of another one without a beat of its own make a worker silent: it died, or stands still. */
export const SILENT_BEATS = 5;

/** How long a worker may be held up before it is taken for dead, at least; its death is found this long after its last beat, and one beat more at most. */
export const SILENT_MS = SILENT_BEATS * BEAT_MS;

/** A worker that fell silent, and the sessions that it held. */
export interface SilentWorker {
  readonly worker: string;
  readonly sessions: readonly Sid[];
}

/**
 * Finds workers that died holding sessions, sooner than their leases end. It is a hint: a worker that was only slow loses its leases to others
 * and is fenced where it goes on (R1), and a death that nobody notices ends with the leases. Methods throw `BusError` when Redis is away.
 */
export interface Heartbeats {
  /**
   * Says that `worker` lives. Ends the leases of workers that have fallen silent and wakes their sessions; each such worker is returned to one
   * caller, of all that beat. To be called every `BEAT_MS`, by one worker of a process.
   */
  beat(worker: string): Promise<readonly SilentWorker[]>;
  /** `worker` ends in order: nobody looks for it. What it could not let go of is woken, as if it had died; resolves to that. */
  leave(worker: string): Promise<readonly Sid[]>;
}
