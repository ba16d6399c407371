import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { StoreClock } from './store-clock.js';

test(verifies('R4:store-clock', 'a slow exchange moves nothing that a quick one told; a clock that was set is followed'), async () => {
  let ownMs = 1_000_000;
  const clock = new StoreClock(() => ownMs);
  const aheadMs = (): number => Math.floor(clock.now()) - ownMs;
  /** An exchange with a store whose clock is ahead of ours. */
  const learn = (ahead: number, thereMs: number, backMs: number): Promise<void> =>
    clock.learn(async () => {
      ownMs += thereMs;
      const told = ownMs + ahead;
      ownMs += backMs;
      return [String(Math.floor(told / 1_000)), String((told % 1_000) * 1_000)];
    });
  await learn(50, 1, 1);
  expect(aheadMs()).toBe(50);
  await learn(50, 800, 2);
  await learn(50, 2, 800);
  expect(aheadMs()).toBe(50);
  await learn(-5_000, 1, 1);
  expect(Math.abs(aheadMs() + 5_000)).toBeLessThanOrEqual(1);
});
