import { asObject } from '../../../json/read-json.js';
import type { Usage } from '../../../canonical/stream-part.js';

/** Reads `usage` of a response object. None rather than zeros where the provider doesn't say. */
export function decodeUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  const input = count(usage.input_tokens);
  const output = count(usage.output_tokens);
  if (input === undefined && output === undefined) return undefined;
  const cached = count(asObject(usage.input_tokens_details).cached_tokens);
  const written = count(asObject(usage.input_tokens_details).cache_write_tokens);
  const reasoning = count(asObject(usage.output_tokens_details).reasoning_tokens);
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    reasoningTokens: reasoning,
  };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
