const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `12 s`, `4 min`, `3 h`, `6 days`: one unit, rounded down. */
export function toSpan(ms: number): string {
  const span = Math.max(0, ms);
  if (span < MINUTE) return `${Math.floor(span / SECOND)} s`;
  if (span < HOUR) return `${Math.floor(span / MINUTE)} min`;
  if (span < 2 * DAY) return `${Math.floor(span / HOUR)} h`;
  return `${Math.floor(span / DAY)} days`;
}

/** `just now`, `4 min ago`. */
export const toAgo = (atMs: number, nowMs: number): string => (nowMs - atMs < 5 * SECOND ? 'just now' : `${toSpan(nowMs - atMs)} ago`);

/** `in 4 min`; `now` once it is past. Seconds are told in the last two minutes. */
export function toUntil(atMs: number, nowMs: number): string {
  const left = atMs - nowMs;
  if (left <= 0) return 'now';
  return `in ${left < 2 * MINUTE ? `${Math.ceil(left / SECOND)} s` : toSpan(left)}`;
}

const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const CLOCK_TIME = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** By the reader's own clock and custom. */
export const toDateTime = (atMs: number): string => DATE_TIME.format(atMs);

/** `Nov 23, 14:05:09` */
export const toClockTime = (atMs: number): string => CLOCK_TIME.format(atMs);

/** `640 ms`, `2.31 s`, `3 min`. */
export function toDuration(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  return ms < MINUTE ? `${(ms / SECOND).toFixed(2)} s` : toSpan(ms);
}

const WHOLE = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `12,345` */
export const toWhole = (count: number): string => WHOLE.format(count);

/** `12.3K` */
export const toShort = (count: number): string => SHORT.format(count);

/** US dollars, with cents, and as many digits as a small sum needs. */
export function toDollars(usd: number): string {
  if (usd === 0) return '$0.00';
  return usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;
}

/** `12.3 kB` */
export function toBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
