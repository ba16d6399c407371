import { asCount, asList, asObject, type Fields } from '../../../json/read-json.js';
import type { Usage } from '../../../canonical/stream-part.js';

/**
 * Reads `usage` of an answer (docs/specification/llm-proxy.md#usage). None rather than zeros where the provider doesn't say. Where an answer took
 * several rounds, such as a compaction before it, only the sum of `iterations` is all that was used.
 */
export function decodeUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  const rounds = asList(usage.iterations).flatMap((round) => countTokens(asObject(round)) ?? []);
  const counted = rounds.length > 0 ? rounds.reduce(add) : countTokens(usage);
  const details = asObject(usage.output_tokens_details);
  const reasoningTokens = asCount(details.thinking_tokens) ?? asCount(details.reasoning_tokens);
  return counted && { ...counted, reasoningTokens };
}

/** What `decodeUsage` reads. */
const READ = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'output_tokens_details',
  'iterations',
] as const;

/**
 * What an event adds to the usage so far: its totals replace the earlier ones, and what it leaves out stays. What nobody reads isn't kept:
 * a provider could send other members with each event, and all of them would be copied each time.
 */
export function mergeUsage(before: unknown, value: unknown): Fields {
  const [sum, news] = [asObject(before), asObject(value)];
  return Object.fromEntries(READ.map((name) => [name, news[name] ?? sum[name]]));
}

function countTokens(usage: Fields): Usage | undefined {
  const input = asCount(usage.input_tokens);
  const output = asCount(usage.output_tokens);
  if (input === undefined && output === undefined) return undefined;
  const cachedInputTokens = asCount(usage.cache_read_input_tokens);
  const cacheWriteTokens = asCount(usage.cache_creation_input_tokens);
  const inputTokens = (input ?? 0) + (cachedInputTokens ?? 0) + (cacheWriteTokens ?? 0);
  return { inputTokens, outputTokens: output ?? 0, cachedInputTokens, cacheWriteTokens };
}

function add(a: Usage, b: Usage): Usage {
  const sumOfKnown = (x?: number, y?: number): number | undefined => (x === undefined ? y : x + (y ?? 0));
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: sumOfKnown(a.cachedInputTokens, b.cachedInputTokens),
    cacheWriteTokens: sumOfKnown(a.cacheWriteTokens, b.cacheWriteTokens),
  };
}

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
    output_tokens_details: reasoningTokens === undefined ? undefined : { thinking_tokens: reasoningTokens },
  };
}
