import { asList, asObject } from '../../../json/read-json.js';
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
  const reasoningTokens = toCount(details.thinking_tokens) ?? toCount(details.reasoning_tokens);
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
export function mergeUsage(before: unknown, value: unknown): Readonly<Record<string, unknown>> {
  const [sum, news] = [asObject(before), asObject(value)];
  return Object.fromEntries(READ.map((name) => [name, news[name] ?? sum[name]]));
}

function countTokens(usage: Readonly<Record<string, unknown>>): Usage | undefined {
  const input = toCount(usage.input_tokens);
  const output = toCount(usage.output_tokens);
  if (input === undefined && output === undefined) return undefined;
  const cached = toCount(usage.cache_read_input_tokens);
  const written = toCount(usage.cache_creation_input_tokens);
  return {
    inputTokens: (input ?? 0) + (cached ?? 0) + (written ?? 0),
    outputTokens: output ?? 0,
    cachedInputTokens: cached,
    cacheWriteTokens: written,
  };
}

function add(a: Usage, b: Usage): Usage {
  const sum = (key: 'cachedInputTokens' | 'cacheWriteTokens') =>
    a[key] === undefined && b[key] === undefined ? {} : { [key]: (a[key] ?? 0) + (b[key] ?? 0) };
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...sum('cachedInputTokens'),
    ...sum('cacheWriteTokens'),
  };
}

function toCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
