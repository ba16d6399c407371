import { setTimeout as delay } from 'node:timers/promises';

/** Waits for it, and no longer than it may take, or until `signal` says so: then it throws, and what was begun goes on by itself. */
export async function inTime<T>(work: Promise<T>, withinMs: number, signal?: AbortSignal): Promise<T> {
  const over = new AbortController();
  const late = delay(withinMs, undefined, { signal: signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]) }).then(
    () => {
      throw new Error(`not within ${String(withinMs)} ms`);
    },
  );
  late.catch(() => undefined); // nobody waits for it any more
  work.catch(() => undefined); // it may fail after we gave up
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}
