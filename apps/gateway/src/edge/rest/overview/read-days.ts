import { refuse } from '@codelab/protocol';
import { RefusedRequest } from '../refused-request.js';

const DAY_MS = 24 * 60 * 60_000;
const USUAL_DAYS = 30;
/** How long usage is kept. */
export const MOST_DAYS = 400;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Reads `?from=&to=`, days of UTC, both included; the last 30 without. Throws `RefusedRequest`. */
export function readDays(
  query: { readonly from?: string; readonly to?: string },
  nowMs: number,
): { readonly from: string; readonly to: string } {
  const to = readDay('to', query.to) ?? dayOf(nowMs);
  const from = readDay('from', query.from) ?? dayOf(Date.parse(to) - (USUAL_DAYS - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days >= 1 && days <= MOST_DAYS) return { from, to };
  throw new RefusedRequest(refuse('INVALID_FIELD', `from: a day not after \`to\`, and at most ${String(MOST_DAYS)} days in all`));
}

function readDay(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text) return text;
  throw new RefusedRequest(refuse('INVALID_FIELD', `${name}: a day as YYYY-MM-DD`));
}
