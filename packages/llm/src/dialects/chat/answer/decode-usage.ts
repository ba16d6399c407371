import type { Usage } from '../../../canonical/stream-part.js';
import { asObject } from '../../../json/read-json.js';

/**
 * Reads `usage` of an answer or a chunk. None rather than zeros where the provider doesn't say. `cost` is OpenRouter's, in dollars, and
 * so is `cache_write_tokens`.
 */
export function decodeUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  const input = count(usage.prompt_tokens);
  const output = count(usage.completion_tokens);
  if (input === undefined && output === undefined) return undefined;
  const details = asObject(usage.prompt_tokens_details);
  const cached = count(details.cached_tokens);
  const written = count(details.cache_write_tokens);
  const reasoning = count(asObject(usage.completion_tokens_details).reasoning_tokens);
  const cost = usage.cost;
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    reasoningTokens: reasoning,
    ...(typeof cost === 'number' && cost >= 0 && { costUsd: cost }),
  };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
