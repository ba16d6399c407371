import type { Violation } from '../report/report-data.js';

/** A system that seeds are run in. */
export interface MutantLane {
  run(seed: number): Promise<{ readonly violations: readonly Violation[] }>;
  close(): Promise<void>;
}
