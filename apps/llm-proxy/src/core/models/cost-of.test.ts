import { expect, test } from 'vitest';
import { costOf, withCost } from './cost-of.js';
import type { PriceEntry } from './models-file.js';

const PRICE: PriceEntry = { input: 2, cached_input: 0.5, cache_write: 3, output: 10 };
const million = { inputTokens: 1_000_000, outputTokens: 1_000_000 };

test.each<[what: string, usage: Parameters<typeof costOf>[0], price: PriceEntry | undefined, dollars: number | undefined]>([
  ['input and output', million, PRICE, 12],
  ['cached input', { ...million, cachedInputTokens: 500_000 }, PRICE, 11.25],
  ['input written to the cache', { ...million, cachedInputTokens: 500_000, cacheWriteTokens: 250_000 }, PRICE, 11.5],
  ['a cache without a price of its own', { ...million, cachedInputTokens: 500_000, cacheWriteTokens: 1 }, { input: 1, output: 1 }, 2],
  ['more cached than there was', { ...million, cachedInputTokens: 9e9, cacheWriteTokens: 9e9 }, PRICE, 10.5],
  ['a cost that the provider named', { ...million, costUsd: 3 }, PRICE, 3],
  ['a model without a price', million, undefined, undefined],
])('the cost of %s', (_what, usage, price, dollars) => {
  expect(costOf(usage, price)).toBe(dollars);
  expect(withCost(usage, price).costUsd).toBe(dollars);
});
