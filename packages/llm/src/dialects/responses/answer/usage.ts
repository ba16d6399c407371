import { asCount, asObject } from '../../../json/read-json.js';
import type { Usage } from '../../../canonical/stream-part.js';

/** Reads `usage` of a response object. None rather than zeros where the provider doesn't say. */
export function decodeUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  const inputTokens = asCount(usage.input_tokens);
  const outputTokens = asCount(usage.output_tokens);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const details = asObject(usage.input_tokens_details);
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    cachedInputTokens: asCount(details.cached_tokens),
    cacheWriteTokens: asCount(details.cache_write_tokens),
    reasoningTokens: asCount(asObject(usage.output_tokens_details).reasoning_tokens),
  };
}

/** Usage as a response object has it; null, not zeros, where nobody counted. */
export function encodeUsage(usage: Usage | undefined): object | null {
  if (!usage) return null;
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens, reasoningTokens = 0 } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}
