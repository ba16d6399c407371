import type { Recorder } from '../recording/recorder.js';

const BEAT_MS = 50;
/** A timer that is late by less than this is as timers are. */
const LATE_MS = 50;

/** Records whenever the machine has more to do than it can: a timer of this process that comes late. Returns what ends it. */
export function watchMachine(recorder: Pick<Recorder, 'record'>): () => void {
  let last = performance.now();
  const beat = setInterval(() => {
    const now = performance.now();
    const byMs = now - last - BEAT_MS;
    if (byMs > LATE_MS) recorder.record({ kind: 'late', byMs });
    last = now;
  }, BEAT_MS);
  return () => clearInterval(beat);
}
