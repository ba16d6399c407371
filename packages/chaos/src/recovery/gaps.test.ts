import { expect, test } from 'vitest';
import { isSteady, longestSilence } from './gaps.js';

test('frames that were on their way do not count, and what follows the silence does', () => {
  expect(longestSilence([900, 950, 1001, 1004, 3200, 3240, 3300], 1000)).toBe(2196);
});

test('who is served on while a service drains waits for its own silence only', () => {
  expect(longestSilence([950, 1040, 1100, 1150, 1500, 1560], 1000)).toBe(350);
});

test('a silence begins with the strike at the earliest', () => {
  expect(longestSilence([900, 990, 1050, 1090], 1000)).toBe(50);
  expect(longestSilence([200, 1600, 1640], 1000)).toBe(600);
});

test('who hears nothing more has not recovered', () => {
  expect(longestSilence([900], 1000)).toBeUndefined();
});

test('steady is who has heard something all the time', () => {
  const often = { quietMs: 500, forMs: 1500 };
  expect(isSteady([100, 500, 900, 1300, 1600], 1700, often)).toBe(true);
  expect(isSteady([100, 900, 1300], 1700, often)).toBe(false);
  expect(isSteady([600, 900, 1100], 1700, often)).toBe(false);
});
