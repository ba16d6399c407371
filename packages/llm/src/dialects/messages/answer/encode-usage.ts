import type { Usage } from '../../../canonical/stream-part.js';

/**
 * Writes `usage` of an answer. `input_tokens` is what neither came from a cache nor went into one. Clients need the field in any case: where
 * nobody counted it says 0.
 */
export function encodeUsage(usage: Usage | undefined): object {
  if (!usage) return { input_tokens: 0, output_tokens: 0 };
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    input_tokens: Math.max(0, inputTokens - (cachedInputTokens ?? 0) - (cacheWriteTokens ?? 0)),
    cache_creation_input_tokens: cacheWriteTokens ?? null,
    cache_read_input_tokens: cachedInputTokens ?? null,
    output_tokens: outputTokens,
    ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  };
}
