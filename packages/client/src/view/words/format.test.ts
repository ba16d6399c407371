import { expect, test } from 'vitest';
import { formatBytes, formatCost, formatCount, formatDuration, formatPlural } from './format.js';

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1400, '1.4 s'],
  [59_960, '1 min 0 s'],
  [125_000, '2 min 5 s'],
  [3_900_000, '1 h 5 min'],
])('%i ms reads %s', (ms, expected) => expect(formatDuration(ms)).toBe(expected));

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1k'],
  [12_345, '12.3k'],
  [123_456, '123k'],
  [1_250_000, '1.3M'],
])('%i tokens read %s', (count, expected) => expect(formatCount(count)).toBe(expected));

test('small sums keep their places', () => {
  expect(formatCost(0.0042)).toBe('$0.0042');
  expect(formatCost(1.374)).toBe('$1.37');
});

test('sizes and plurals', () => {
  expect([formatBytes(812), formatBytes(3500), formatBytes(2_000_000)]).toEqual(['812 B', '3.4 KB', '1.9 MB']);
  expect([formatPlural(1, 'line'), formatPlural(0, 'line')]).toEqual(['1 line', '0 lines']);
});
