import { expect, test } from 'vitest';
import { backoffDelay } from './backoff.js';

const backoff = { firstMs: 100, maxMs: 1_000, factor: 2 };

test('waits grow to their bound, and lie between half of it and all of it', () => {
  expect([1, 2, 3, 4, 5, 60].map((attempt) => backoffDelay(attempt, backoff, () => 1))).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  expect([1, 2, 60].map((attempt) => backoffDelay(attempt, backoff, () => 0))).toEqual([50, 100, 500]);
});
