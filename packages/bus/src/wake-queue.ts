import type { Sid } from './session-ref.js';

/** Calls a runtime to a session that nobody holds. */
export interface WakeQueue {
  /** The fast path: one waiting wake per session, and one more if one is being processed. Never fails a caller: the sweep is the guarantee. */
  wake(sid: Sid): Promise<void>;
  /** Runs `onWake` for each wake; it takes the lease and returns within milliseconds. */
  work(onWake: (sid: Sid) => Promise<void>, options: { readonly concurrency: number }): Promise<{ close(): Promise<void> }>;
  /** Sessions with work whose time has come, from all shards; every runtime asks each second. */
  due(limit: number): Promise<readonly Sid[]>;
  close(): Promise<void>;
}
