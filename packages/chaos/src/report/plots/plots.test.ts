import { expect, test } from 'vitest';
import { density } from './density.js';
import { duration, linearTicks, logScale, logTicks, quantile } from './scale.js';

test('quantiles are samples, by nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect([quantile(hundred, 0.5), quantile(hundred, 0.99), quantile(hundred, 1), quantile([], 0.5)]).toEqual([50, 99, 100, 0]);
});

test('ticks are round and lie within', () => {
  expect(linearTicks(0, 7300, 9)).toEqual([0, 1000, 2000, 3000, 4000, 5000, 6000, 7000]);
  expect(logTicks(30, 1200)).toEqual([50, 100, 200, 500, 1000]);
});

test('a logarithmic axis gives each factor the same length, and keeps what lies outside at its ends', () => {
  const scale = logScale(1, 10_000);
  expect([scale(1), scale(100), scale(10_000), scale(0), scale(1e9)]).toEqual([0, 50, 100, 0, 100]);
});

test('the density is highest where the samples are', () => {
  const heights = density([20, 21, 22, 80], 101);
  expect(heights.indexOf(Math.max(...heights))).toBeGreaterThan(15);
  expect(heights.indexOf(Math.max(...heights))).toBeLessThan(27);
});

test('durations are read by people', () => {
  expect([0, 0.25, 12.4, 1234, 45_600, 754_000].map(duration)).toEqual(['0', '0.25 ms', '12 ms', '1.23 s', '45.6 s', '12 min 34 s']);
});
