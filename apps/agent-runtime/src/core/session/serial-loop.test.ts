import { expect, test } from 'vitest';
import { FakeClock } from '@codelab/testkit';
import { SerialLoop } from './serial-loop.js';

const build = (next: () => number | undefined) => {
  const clock = new FakeClock(0);
  const runs: number[] = [];
  let inside = 0;
  let release: (() => void) | undefined;
  let held: Promise<void> | undefined;
  const loop = new SerialLoop(clock, async () => {
    expect((inside += 1)).toBe(1);
    runs.push(clock.now());
    await held;
    inside -= 1;
    return next();
  });
  const hold = (): void => void (held = new Promise((resolve) => (release = () => ((held = undefined), resolve()))));
  return { clock, runs, loop, hold, release: () => release?.() };
};

test('pokes while it runs make it run once more, not at the same time', async () => {
  const { clock, runs, loop, hold, release } = build(() => undefined);
  hold();
  loop.poke();
  loop.poke();
  loop.poke();
  expect(runs).toHaveLength(1);
  release();
  await clock.advance(1);
  expect(runs).toHaveLength(2);
  expect(clock.pending).toBe(0);
});

test('it runs at the time that it asked for, or earlier when poked', async () => {
  let next: number | undefined = 100;
  const { clock, runs, loop } = build(() => next);
  loop.poke();
  await clock.advance(50);
  next = 120;
  loop.poke();
  await clock.advance(69);
  expect(runs).toEqual([0, 50]);
  next = undefined;
  await clock.advance(100);
  expect(runs).toEqual([0, 50, 120]);
});

test('stopped, it runs no more and leaves no timer', async () => {
  const { clock, runs, loop } = build(() => 100);
  loop.poke();
  await clock.advance(1);
  loop.stop();
  loop.poke();
  await clock.advance(1_000);
  expect([runs, clock.pending]).toEqual([[0], 0]);
});
