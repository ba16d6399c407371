import type { Usage } from '../../../canonical/stream-part.js';
import { asCount, asObject } from '../../../json/read-json.js';

/**
 * Reads `usage` of an answer or a chunk. None rather than zeros where the provider doesn't say. `cost` is OpenRouter's, in dollars, and
 * so is `cache_write_tokens`.
 */
export function decodeUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  const input = asCount(usage.prompt_tokens);
  const output = asCount(usage.completion_tokens);
  if (input === undefined && output === undefined) return undefined;
  const details = asObject(usage.prompt_tokens_details);
  const { cost } = usage;
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    cachedInputTokens: asCount(details.cached_tokens),
    cacheWriteTokens: asCount(details.cache_write_tokens),
    reasoningTokens: asCount(asObject(usage.completion_tokens_details).reasoning_tokens),
    costUsd: typeof cost === 'number' && cost >= 0 ? cost : undefined,
  };
}

/** Writes `usage` of an answer. Tokens written to a cache have no standard field: `cache_write_tokens` is OpenRouter's. */
export function encodeUsage({ inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens }: Usage): object {
  const hasDetails = cachedInputTokens !== undefined || cacheWriteTokens !== undefined;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: hasDetails ? { cached_tokens: cachedInputTokens ?? 0, cache_write_tokens: cacheWriteTokens } : undefined,
    completion_tokens_details: reasoningTokens === undefined ? undefined : { reasoning_tokens: reasoningTokens },
  };
}
