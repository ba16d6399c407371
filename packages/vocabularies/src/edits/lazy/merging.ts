import type { Likeness } from './resembles.js';
import type { Source } from './units.js';

/** Two texts that become one. */
export interface Merging {
  readonly file: Source;
  readonly changes: Source;
  readonly likeness: Likeness;
  /** Rows of the file that were left out on purpose. */
  readonly omitted: Set<number>;
}
