import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verifies } from '@codelab/testkit';
import { createKeys } from '../keys/keys.js';
import { CHECK_STORE_MS } from '../limits.js';
import type { RedisLink } from './open-redis.js';
import { StoreWatch } from './store-watch.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A watch of a store that answers as `store` says at the time. */
const watching = async (store: { life: string; nowMs: number }) => {
  const redis = {
    isCluster: false,
    call: async () => [],
    eval: async () => [store.life, 'restart'],
    time: async () => [String(store.nowMs / 1_000), '0'],
    set: async () => 'OK',
  } as unknown as RedisLink; // what a look asks for
  const troubles: (string | undefined)[] = [];
  const watch: StoreWatch = new StoreWatch({
    ...{ redis, keys: createKeys('cl'), logger: silent, markStore: '' },
    changed: () => troubles.push(watch.trouble),
  });
  await watch.begin();
  watch.keepLooking();
  return { watch, troubles };
};
const look = (): Promise<unknown> => vi.advanceTimersByTimeAsync(CHECK_STORE_MS);

test(
  verifies('G4:ready-disputed', 'a record of the life that is replaced again and again is trouble, until it was left alone for a minute'),
  async () => {
    const store = { life: 'a', nowMs: 0 };
    const { watch, troubles } = await watching(store);
    for (const life of ['b', 'c']) {
      store.life = life;
      await look();
    }
    expect(watch.trouble).toBeUndefined();
    store.life = 'd';
    await look();
    expect(watch.trouble).toMatch(/^services disagree on the life of the store: .* was replaced 3 times within a minute$/);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([watch.trouble, troubles.length]).toEqual([undefined, 2]);
    watch.end();
  },
);

test(verifies('R4:store-clock', 'the clock of the store is read again with each look, so one that was set is followed'), async () => {
  const store = { life: 'a', nowMs: Date.now() };
  const { watch } = await watching(store);
  store.nowMs += 3_600_000;
  expect(watch.clock.now() - store.nowMs).toBeLessThan(-3_500_000);
  await look();
  expect(Math.abs(watch.clock.now() - store.nowMs)).toBeLessThan(1_000);
  watch.end();
});
