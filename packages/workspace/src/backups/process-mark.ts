import { isErrno } from '../to-tool-error.js';

/** A process, and when it was started: numbers of processes come again. */
export interface ProcessMark {
  readonly pid: number;
  readonly started_at_ms: number;
}

/** This process. */
export const thisProcess = (): ProcessMark => ({ pid: process.pid, started_at_ms: performance.timeOrigin });

/** Whether it runs; in doubt it does. */
export const isAlive = ({ pid, started_at_ms: startedAtMs }: ProcessMark): boolean => {
  if (pid === process.pid) return startedAtMs === performance.timeOrigin;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, 'EPERM'); // there, and someone else's
  }
};
