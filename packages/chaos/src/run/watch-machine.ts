import type { Recorder } from '../recording/recorder.js';
import { RunQueue } from './run-queue.js';

const BEAT_MS = 50;
/** A timer that is late by less than this is as timers are. */
const LATE_MS = 50;
/** What a process waits for a processor is recorded in portions of this, or more. */
const PORTION_MS = 20;

/**
 * Records whenever the machine has more to do than it can: a timer of this process that comes late, and what the processes of the run wait
 * for a processor, which is longer than this one does: it mostly sleeps. Returns what ends it.
 */
export function watchMachine(recorder: Pick<Recorder, 'record'>, pids: () => readonly number[]): () => void {
  const queue = new RunQueue();
  let last = performance.now();
  let queuedMs = 0;
  const beat = setInterval(() => {
    const now = performance.now();
    const byMs = now - last - BEAT_MS;
    if (byMs > LATE_MS) recorder.record({ kind: 'late', byMs });
    last = now;
    queuedMs += queue.waitedMs(pids());
    if (queuedMs < PORTION_MS) return;
    recorder.record({ kind: 'queued', byMs: queuedMs });
    queuedMs = 0;
  }, BEAT_MS);
  return () => clearInterval(beat);
}
