import { expect, test } from 'vitest';
import { MemoryGrowth } from './memory-growth.js';

/** What is said after each of these sizes, in MB. */
const told = (sizes: readonly number[], pidOf: (seed: number) => number = () => 1): readonly (number | undefined)[] => {
  const memory = new MemoryGrowth();
  return sizes.map((size, seed) => memory.add('gateway-1', pidOf(seed), size * 1_000_000));
};
const growing = (byMb: number): readonly number[] => Array.from({ length: 90 }, (_, seed) => 100 + seed * byMb);

test('a process that grows with each seed is told of after sixty of them, and not again at once', () => {
  const said = told(growing(3));
  expect(said.findIndex((growth) => growth !== undefined)).toBe(59);
  expect(said[59]).toBeCloseTo(3_000_000);
  expect(said.slice(60).every((growth) => growth === undefined)).toBe(true);
});

test('one that grows a little, at its beginning or in waves does not leak', () => {
  const atFirst = Array.from({ length: 90 }, (_, seed) => 100 + Math.min(seed, 25) * 10);
  const inWaves = Array.from({ length: 90 }, (_, seed) => 100 + (seed % 9) * 20);
  for (const sizes of [growing(1), atFirst, inWaves]) expect(told(sizes).every((growth) => growth === undefined)).toBe(true);
});

test('another process of the same name begins anew', () => {
  expect(told(growing(3), (seed) => Math.floor(seed / 45)).every((growth) => growth === undefined)).toBe(true);
});
