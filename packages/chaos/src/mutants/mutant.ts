import type { Moment } from '../plan/plan.js';

/** Where a mutant's fault is. A fault of the store is in the Lua scripts, which each service brings along. */
export type MutantPlace = 'store' | 'gateway' | 'runtime' | 'proxy' | 'client';

/** A planted fault: one replacement in a copy of what is built. */
export interface Mutant {
  readonly name: string;
  readonly place: MutantPlace;
  /** The promise of docs/architecture.md that it breaks, or a word of the oracle. */
  readonly promise: string;
  /** What somebody could have got wrong, in a few words. */
  readonly fault: string;
  /** Store: the script below `lua/`; client: the module below `packages/`; services: none, each is one file. */
  readonly file?: string;
  /** Stands there exactly once; a test says so of each. */
  readonly find: string;
  readonly replace: string;
  /** What has to happen for it to show: it is given seeds that have it. Absent: any seed. */
  readonly shownBy?: ShownBy;
}

/** What a seed must have for a mutant to show. */
export interface ShownBy {
  /** One of these faults; an empty list: none at all. */
  readonly faults?: readonly string[];
  /** The fault is of this amount. */
  readonly amount?: number;
  /** It begins at one of these moments. */
  readonly on?: readonly Moment[];
  /** The conversations, as JSON, have this in them. */
  readonly says?: RegExp;
  /** Seeds that have shown it, tried before others: one that is rare must be caught on its day. */
  readonly seeds?: readonly number[];
}

/** A row of a table of mutants of one place. */
export type Planted = Omit<Mutant, 'place'>;

/** The rows as mutants of a place. */
export const plantedIn = (place: MutantPlace, rows: readonly Planted[]): readonly Mutant[] => rows.map((row) => ({ ...row, place }));
