import type { Settlement, UsageCounts, UsageRow } from '../../accounts/ledger.js';
import { toFields } from '../connection/decode-fields.js';
import { fromNano, toNano } from './nano-dollars.js';

/** Between the session and the model in the name of a row. */
const SEPARATOR = '\x1f';
/** Longer names are cut: callers choose those of models. */
const MAX_NAME_CHARACTERS = 256;
const DAY_MS = 24 * 60 * 60_000;

/** The counts in the order of a row. */
const COUNTS = [
  ...(['requests', 'estimatedRequests', 'inputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'outputTokens'] as const),
  ...(['reasoningTokens', 'costUsd'] as const),
] satisfies readonly (keyof UsageCounts)[];

type Used = NonNullable<Settlement['used']>;

/** The last day that was asked for: requests come one after another on the same day. */
let latest = { number: NaN, text: '' };

/** The day of a time as keys name it: `YYYYMMDD`, of UTC. */
export function toDay(ms: number): string {
  const number = Math.floor(ms / DAY_MS);
  if (latest.number !== number) latest = { number, text: new Date(ms).toISOString().slice(0, 10).replaceAll('-', '') };
  return latest.text;
}

/** The days from one to another, both included, as `YYYY-MM-DD`. */
export function daysOf(from: string, to: string): readonly string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const count = Math.max(0, Math.round((last - first) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, index) => new Date(first + index * DAY_MS).toISOString().slice(0, 10));
}

export const usageRowName = ({ model, sessionId }: Used): string =>
  `${sessionId ?? ''}${SEPARATOR}${model.includes(SEPARATOR) ? model.replaceAll(SEPARATOR, '') : model}`.slice(0, MAX_NAME_CHARACTERS);

/** The counts as `settle-usage` takes them; zeros where nothing was used. */
export const usageArguments = (used: UsageCounts | undefined): readonly number[] =>
  COUNTS.map((name) => (used === undefined ? 0 : name === 'costUsd' ? toNano(used.costUsd) : Math.max(0, Math.round(used[name]))));

/** Called for each request: written out. */
export const addUsage = (one: UsageCounts, other: UsageCounts): UsageCounts => ({
  requests: one.requests + other.requests,
  estimatedRequests: one.estimatedRequests + other.estimatedRequests,
  inputTokens: one.inputTokens + other.inputTokens,
  cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
  cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  reasoningTokens: one.reasoningTokens + other.reasoningTokens,
  costUsd: one.costUsd + other.costUsd,
});

/** A day's rows as Redis answers them. */
export function decodeUsage(day: string, reply: unknown): readonly UsageRow[] {
  return Object.entries(toFields(reply)).map(([name, text]) => {
    const cut = name.indexOf(SEPARATOR);
    const numbers = text.split(' ').map(Number);
    const counts = COUNTS.map((count, place) => [count, count === 'costUsd' ? fromNano(numbers[place] ?? 0) : (numbers[place] ?? 0)]);
    return {
      ...{ day, model: name.slice(cut + 1), sessionId: name.slice(0, cut) },
      ...(Object.fromEntries(counts) as unknown as UsageCounts), // the table names every count
    };
  });
}
