import { useSyncExternalStore } from 'react';

/** One clock for all that ticks, so that they tick together, and only while somebody looks. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now(); // React reads it again behind this
    timer = setInterval(tick, 1_000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const each of listeners) each();
}

const listenNever = (): (() => void) => () => undefined;

/** This machine's clock, once a second; it stands still where nothing `ticks`. */
export const useNow = (ticks: boolean): number => useSyncExternalStore(ticks ? listen : listenNever, () => now);
