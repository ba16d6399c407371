import type { Settlement, UsageCounts, UsageRow } from '../ledger.js';
import { toFields } from './decode-fields.js';
import { fromNano, toNano } from './nano-dollars.js';

/** Between the session and the model in the name of a row. */
const SEPARATOR = '\x1f';
/** Longer names of models are cut: callers choose them. */
const MAX_MODEL_CHARACTERS = 200;
const DAY_MS = 24 * 60 * 60_000;

/** The counts in the order of a row. */
const COUNTS = [
  ...(['requests', 'estimatedRequests', 'inputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'outputTokens'] as const),
  ...(['reasoningTokens', 'costUsd'] as const),
] satisfies readonly (keyof UsageCounts)[];

type Used = NonNullable<Settlement['used']>;

/** The day of a time as keys name it: `YYYYMMDD`, of UTC. */
export const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');

/** The days from one to another, both included, as `YYYY-MM-DD`. */
export function daysOf(from: string, to: string): readonly string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const count = Math.max(0, Math.round((last - first) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, index) => new Date(first + index * DAY_MS).toISOString().slice(0, 10));
}

export const usageRowName = ({ model, sessionId }: Used): string =>
  `${sessionId ?? ''}${SEPARATOR}${model.replaceAll(SEPARATOR, '').slice(0, MAX_MODEL_CHARACTERS)}`;

/** The counts as `settle-usage` takes them; zeros where nothing was used. */
export const usageArguments = (used: Used | undefined): readonly number[] =>
  COUNTS.map((name) => (used === undefined ? 0 : name === 'costUsd' ? toNano(used.costUsd) : Math.max(0, Math.round(used[name]))));

export const addUsage = (one: UsageCounts, other: UsageCounts): UsageCounts =>
  Object.fromEntries(COUNTS.map((name) => [name, one[name] + other[name]])) as unknown as UsageCounts; // the table names every count

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
