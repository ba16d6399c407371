import { expect, test } from 'vitest';
import { systemClock } from './index.js';

test('a delay above what a timer can have does not fire at once', async () => {
  let fired = false;
  const cancel = systemClock.after(2 ** 40, () => (fired = true));
  await new Promise<void>((resolve) => systemClock.after(1, resolve));
  cancel();
  expect(fired).toBe(false);
});

test('a canceled timer never fires, and a negative delay counts as none', async () => {
  const fired: string[] = [];
  systemClock.after(1, () => fired.push('canceled'))();
  await new Promise<void>((resolve) => systemClock.after(-5, () => (fired.push('negative'), resolve())));
  await new Promise<void>((resolve) => systemClock.after(5, resolve));
  expect(fired).toEqual(['negative']);
});
