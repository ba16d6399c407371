import { expect, test } from '@jest/globals';
import { meterUsage, parsePrices } from './meter-usage.js';

const prices = parsePrices(
  '{"gpt-5.4": {"input": 2, "cachedInput": 0.5, "output": 10}, "gpt-*": {"input": 1, "output": 1}, "*": {"input": 0, "output": 0}}',
);
const million = { inputTokens: 1_000_000, outputTokens: 1_000_000 };

test.each([
  ['an exact name', 'gpt-5.4', million, 12],
  ['cached input', 'gpt-5.4', { ...million, cachedInputTokens: 500_000 }, 11.25],
  ['the longest prefix', 'gpt-4', million, 2],
  ['cached input without a price of its own', 'gpt-4', { ...million, cachedInputTokens: 500_000 }, 2],
  ['everything else', 'llama', million, 0],
  ['a cost that the provider named', 'gpt-5.4', { ...million, costUsd: 3 }, 3],
])('the cost of %s', (_what, model, usage, costUsd) => {
  expect(meterUsage(model, usage, prices).costUsd).toBe(costUsd);
});

test('without a price there is no cost', () => {
  expect(meterUsage('toString', million, {})).toEqual(million);
});

test.each(['', '[]', '{"a": 1}', '{"a": {"input": 1}}', '{"a": {"input": -1, "output": 1}}', '{"a": {"input": "1", "output": 1}}'])(
  'the price table %j is refused',
  (text) => {
    expect(() => parsePrices(text)).toThrow(/must be/);
  },
);
