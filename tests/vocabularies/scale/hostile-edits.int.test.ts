import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { runHostile } from './hostile.js';

/** Milliseconds of the processor that an edit may take; measured are at most some 2,600, and machines of tests are slow. */
const MAX_CPU = 8_000;
// of the files of hostile.ts some that found faults; print-hostile.ts runs all
test.each(['equal-lines.js', 'blank-lines.ts', 'deep.js', 'quotes.js'])(
  verifies('L3:edits-bounded', 'whatever an edit of %s of 1 MB holds, it is applied or refused in seconds'),
  async (file) => {
    const costs = await runHostile((one) => one === file);
    expect(costs.filter(({ cpu }) => cpu > MAX_CPU)).toEqual([]);
    expect(costs.some(({ outcome }) => outcome === 'applied')).toBe(true);
  },
);
