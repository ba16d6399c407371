import type { Sid, WakeQueue } from '@codelab/bus';
import type { EventLog } from '../core/session/runtime-ports.js';

/** Wakes that one process takes at the same time: each costs a few milliseconds. */
const CONCURRENCY = 64;

/** What the worker needs. */
export interface WakePorts {
  readonly wakes: Pick<WakeQueue, 'work'>;
  readonly log: EventLog;
  readonly open: (sid: Sid) => Promise<void>;
}

/** Takes wakes, until closed: a session that is woken is held when its wake is done, here or elsewhere; the work itself is done there. */
export const startWakeWorker = ({ wakes, log, open }: WakePorts): Promise<{ close(): Promise<void> }> =>
  wakes.work(
    async (sid) => {
      try {
        await open(sid);
      } catch (error) {
        log.warn({ event: 'wake.failed', sid, message: String(error) }); // the sweep finds the session
      }
    },
    { concurrency: CONCURRENCY },
  );
