import { ApiError } from '@codelab/llm';
import { BusError } from '@codelab/bus';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 24 * 60 * 60_000;

const refuse = (param: string, words: string): ApiError => new ApiError('invalid_request', `${param}: ${words}`, { param });

/** One of several words; the first where the query has none. */
export function readWord<Word extends string>(query: URLSearchParams, name: string, words: readonly [Word, ...Word[]]): Word {
  const text = query.get(name);
  if (text === null || text === '') return words[0];
  const word = words.find((it) => it === text);
  if (word === undefined) throw refuse(name, `must be one of ${words.join(', ')}`);
  return word;
}

/** A whole number from 1 to `most`. */
export function readCount(
  query: URLSearchParams,
  name: string,
  { most, usual }: { readonly most: number; readonly usual: number },
): number {
  const text = query.get(name);
  if (text === null || text === '') return usual;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > most) throw refuse(name, `must be a whole number from 1 to ${String(most)}`);
  return count;
}

/** A text of a form; `undefined` where the query has none. */
export function readText(query: URLSearchParams, name: string, form: RegExp, words: string): string | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!form.test(text)) throw refuse(name, words);
  return text;
}

/** Days from one to another, both included, as `YYYY-MM-DD` of UTC. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/**
 * `from` and `to`. Left out: until today, and 30 days in all. A day that no calendar has, an end before its beginning and more than `most`
 * days are refused.
 */
export function readDays(query: URLSearchParams, { nowMs, most }: { readonly nowMs: number; readonly most: number }): Days {
  const to = readDay(query, 'to') ?? toDay(nowMs);
  const from = readDay(query, 'from') ?? toDay(Date.parse(to) - 29 * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) throw refuse('from', `must not be after to, which is ${to}`);
  if (days > most) throw refuse('from', `must be at most ${String(most)} days before to, which is ${to}`);
  return { from, to };
}

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function readDay(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const ms = DAY.test(text) ? Date.parse(text) : Number.NaN;
  // 30 February is read as a day of March.
  if (Number.isNaN(ms) || toDay(ms) !== text) throw refuse(name, 'must be a day as YYYY-MM-DD, such as 2026-11-22');
  return text;
}

/** Reads what is counted in Redis; while it is away the caller is told so, and no more (L1). */
export async function whileRedisCounts<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BusError)) throw error;
    throw new ApiError('unavailable', 'Redis, where this is counted, is away or slow right now. Try again in a moment.');
  }
}
