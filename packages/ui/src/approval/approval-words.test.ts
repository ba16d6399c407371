import { expect, test } from 'vitest';
import { describeLeft } from './deadline.js';
import { describeDecision } from './describe-decision.js';

test.each([
  [900, '0:01'],
  [245_000, '4:05'],
  [20 * 60_000, '20 minutes'],
  [5 * 3_600_000, '5 hours'],
  [72 * 3_600_000, '3 days'],
])('%i ms are %s', (ms, words) => expect(describeLeft(ms)).toBe(words));

test('how a question ended is a sentence, with whoever decided', () => {
  const asked = { reason: '', risk: 'low', choices: [] } as const;
  expect(describeDecision({ ...asked, choices: [], outcome: 'rejected', by: 'ann' })).toBe('It was rejected by ann.');
  expect(describeDecision({ ...asked, choices: [], outcome: 'expired', by: 'timer' })).toBe('Nobody decided in time: it has expired.');
  expect(describeDecision(undefined)).toBe('It waits no more.');
});
