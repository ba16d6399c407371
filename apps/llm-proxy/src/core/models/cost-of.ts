import type { Usage } from '@codelab/llm';
import type { PriceEntry } from './models-file.js';

const MILLION = 1_000_000;

/** What `usage` costs in US dollars: what the provider said, else by the price of the model; `undefined` where neither is known. */
export function costOf(usage: Usage, price: PriceEntry | undefined): number | undefined {
  if (usage.costUsd !== undefined || !price) return usage.costUsd;
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  const cached = Math.min(cachedInputTokens, inputTokens);
  const written = Math.min(cacheWriteTokens, inputTokens - cached);
  const dollars =
    (inputTokens - cached - written) * price.input +
    cached * (price.cached_input ?? price.input) +
    written * (price.cache_write ?? price.input) +
    outputTokens * price.output;
  return dollars / MILLION;
}

/** `usage` with its cost, where that is known. */
export function withCost(usage: Usage, price: PriceEntry | undefined): Usage {
  const costUsd = costOf(usage, price);
  return costUsd === undefined ? usage : { ...usage, costUsd };
}
