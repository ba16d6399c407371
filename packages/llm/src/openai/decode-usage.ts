import type { Usage } from '../stream-part.js';
import { asObject } from './wire.js';

/**
 * Reads `usage` of an answer or a chunk. None rather than zeros where the provider doesn't say. `cost` is OpenRouter's, in dollars.
 */
export function decodeUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  const input = count(usage.prompt_tokens);
  const output = count(usage.completion_tokens);
  if (input === undefined && output === undefined) return undefined;
  const cached = count(asObject(usage.prompt_tokens_details).cached_tokens);
  const cost = usage.cost;
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(typeof cost === 'number' && cost >= 0 && { costUsd: cost }),
  };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
