import type { ChaosEvent } from '../recording/chaos-event.js';

/** A broken promise; `events` are indexes into the recording. */
export interface Violation {
  readonly promise: string;
  readonly text: string;
  readonly at: number;
  readonly events: readonly number[];
}

/** One seed of a run and what became of it. */
export interface SeedOutcome {
  readonly seed: number;
  readonly tookMs: number;
  /** Names of the faults that were injected, in order. */
  readonly faults: readonly string[];
  readonly violations: readonly Violation[];
}

/** A recording that the page draws as a timeline. */
export interface Recording {
  readonly seed: number;
  readonly events: readonly ChaosEvent[];
}

/** A seed that broke a promise. */
export interface Failure extends Recording {
  readonly violations: readonly Violation[];
  /** The shortest schedule that still fails, a line a step; absent: it was not shrunk. */
  readonly shrunk?: readonly string[];
  /** The command that repeats it. */
  readonly repeat: string;
}

/** Measured times of one kind, in milliseconds. */
export interface Series {
  readonly name: string;
  readonly samples: readonly number[];
  /** What p99 should stay below, in milliseconds. */
  readonly aimMs?: number;
  /** What was measured, in a few words. */
  readonly note?: string;
}

/** A planted fault and which seed caught it. */
export interface MutantRow {
  readonly name: string;
  /** `store`, `gateway`, `runtime`, `proxy` or `client`. */
  readonly place: string;
  /** The promise that it breaks. */
  readonly promise: string;
  /** What is wrong in it, in a few words. */
  readonly fault: string;
  /** Absent: no seed caught it. */
  readonly caught?: { readonly seed: number; readonly after: number; readonly promise: string; readonly text: string };
  /** The time was over before a seed caught it, or all that it is given had run: nothing is said about it. */
  readonly isCutShort?: boolean;
  readonly tookMs: number;
}

/** All that a report shows. Parts that are absent or empty are left out of the page. */
export interface ReportData {
  readonly command: string;
  /** Of the sources; absent outside of a checkout. */
  readonly commit?: string;
  /** Processor, memory and versions in a line. */
  readonly machine: string;
  readonly startedAt: Date;
  readonly tookMs: number;
  readonly seeds: readonly SeedOutcome[];
  /** A run to look at. */
  readonly sample?: Recording;
  readonly failures: readonly Failure[];
  readonly recovery?: readonly Series[];
  readonly latency?: readonly Series[];
  readonly mutants?: readonly MutantRow[];
}
