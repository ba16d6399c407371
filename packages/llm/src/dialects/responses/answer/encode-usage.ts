import type { Usage } from '../../../canonical/stream-part.js';

/** Usage as a response object has it; null, not zeros, where nobody counted. */
export function encodeUsage(usage: Usage | undefined): object | null {
  if (!usage) return null;
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: cachedInputTokens ?? 0,
      cache_write_tokens: cacheWriteTokens,
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
