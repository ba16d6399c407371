import type { Usage } from '../../../canonical/stream-part.js';

/** Writes `usage` of an answer. Tokens written to a cache have no standard field: `cache_write_tokens` is OpenRouter's. */
export function encodeUsage({ inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens }: Usage): object {
  const hasDetails = cachedInputTokens !== undefined || cacheWriteTokens !== undefined;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(hasDetails && {
      prompt_tokens_details: {
        cached_tokens: cachedInputTokens ?? 0,
        cache_write_tokens: cacheWriteTokens,
      },
    }),
    ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}
