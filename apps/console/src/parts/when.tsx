import { useSyncExternalStore } from 'react';
import { toAgo, toDateTime, toUntil } from './format.js';

/** One clock for all times on the page. */
const TICK_MS = 1_000;
const listeners = new Set<() => void>();
let ticker: ReturnType<typeof setInterval> | undefined;
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  ticker ??= setInterval(() => listeners.forEach((each) => each()), TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticker);
    ticker = undefined;
  };
};

/** How long ago something was; the exact time is its title. */
export function Ago({ atMs }: { atMs: number }) {
  const text = useSyncExternalStore(subscribe, () => toAgo(atMs, Date.now()));
  return (
    <time dateTime={new Date(atMs).toISOString()} title={toDateTime(atMs)}>
      {text}
    </time>
  );
}

/** How long until something is. */
export function Until({ atMs }: { atMs: number }) {
  const text = useSyncExternalStore(subscribe, () => toUntil(atMs, Date.now()));
  return (
    <time dateTime={new Date(atMs).toISOString()} title={toDateTime(atMs)}>
      {text}
    </time>
  );
}
