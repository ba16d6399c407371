import type { Sid } from './session-ref.js';

/** How often a worker says that it lives: one round trip for all that it holds. */
export const BEAT_MS = 500;

/** A worker that was heard and then says nothing for this long, while others could have heard it, is taken for dead. */
export const SILENT_MS = 1_500;

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
  /** `worker` has let go of what it held: nobody looks for it. */
  leave(worker: string): Promise<void>;
}
