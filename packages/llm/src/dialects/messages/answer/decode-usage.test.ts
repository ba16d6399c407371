import { expect, test } from 'vitest';
import { decodeUsage, mergeUsage } from './usage.js';

test('totals replace the earlier ones, and what an event leaves out or has as null stays', () => {
  const first = mergeUsage(undefined, {
    input_tokens: 5,
    cache_read_input_tokens: 100,
    output_tokens: 1,
    output_tokens_details: { thinking_tokens: 3 },
  });
  const last = mergeUsage(first, { output_tokens: 9, cache_read_input_tokens: null, cache_creation_input_tokens: 20 });
  expect(decodeUsage(last)).toEqual({
    inputTokens: 125,
    outputTokens: 9,
    cachedInputTokens: 100,
    cacheWriteTokens: 20,
    reasoningTokens: 3,
  });
  expect(decodeUsage(mergeUsage(last, { iterations: [{ input_tokens: 1 }, { output_tokens: 2 }] }))).toMatchObject({
    inputTokens: 1,
    outputTokens: 2,
  });
  expect(decodeUsage(mergeUsage(undefined, 'none'))).toBeUndefined();
});

test('members that nobody reads are not gathered', () => {
  let usage: unknown;
  for (let n = 0; n < 20_000; n++) usage = mergeUsage(usage, { output_tokens: n, [`k${n}`]: n });
  expect(decodeUsage(usage)).toEqual({ inputTokens: 0, outputTokens: 19_999 });
  expect(usage).not.toHaveProperty('k1');
});
