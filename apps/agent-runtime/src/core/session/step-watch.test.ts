import { expect, test } from 'vitest';
import type { SessionState, Step, Turn } from '../turn/turn-state.js';
import { StepWatch } from './step-watch.js';

const STEP: Step = { stepId: 's1', messageId: 'm', attempt: 0, shown: 0, begun: {}, text: '', flushedAtMs: 0 };
const asking = (step: Step): SessionState => ({
  commits: 1,
  reported: [],
  historyVersion: 1,
  turn: { phase: { kind: 'asking', step } } as Turn, // nothing else of it is looked at
});
const delta = (stepId: string) => ({ stepId, attempt: 1, offset: 0, text: 'x' });

test('a request that is heard of is left in peace', () => {
  const watch = new StepWatch();
  watch.follow(asking(STEP), 0);
  for (const nowMs of [4_000, 8_000, 12_000]) {
    expect(watch.readAt(STEP)).toBeGreaterThan(nowMs);
    watch.hear(delta('s1'));
    expect(watch.take(nowMs)).toHaveLength(1);
  }
});

test('silence is looked into, each time after twice as long', () => {
  const watch = new StepWatch();
  watch.follow(asking(STEP), 0);
  const looks = Array.from({ length: 6 }, () => {
    const at = watch.readAt(STEP);
    watch.wasRead(at);
    return at;
  });
  expect(looks).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 140_000]);
});

test('a request of another runtime is looked at right away', () => {
  const watch = new StepWatch();
  watch.follow(asking(STEP), 7, true);
  expect(watch.readAt(STEP)).toBe(7);
});

test('text behind a hole makes a look due, at most every 300 ms', () => {
  const watch = new StepWatch();
  watch.follow(asking(STEP), 10_000);
  const holed = { ...STEP, ahead: { offset: 5, text: 'x' } };
  expect(watch.readAt(holed)).toBeLessThanOrEqual(10_000);
  watch.wasRead(10_000);
  expect(watch.readAt(holed)).toBe(10_300);
});

test('deltas that had no effect come again before newer ones', () => {
  const watch = new StepWatch();
  watch.hear(delta('a'));
  const taken = watch.take(0);
  watch.hear(delta('b'));
  watch.giveBack(taken);
  expect(watch.take(0).map(({ stepId }) => stepId)).toEqual(['a', 'b']);
});

test('more text than can wait is dropped, and read from the record instead', () => {
  const watch = new StepWatch();
  watch.follow(asking(STEP), 1_000);
  for (let count = 0; count < 5_000; count += 1) watch.hear(delta('s1'));
  expect(watch.readAt(STEP)).toBe(0);
  expect(watch.take(1_001)).toHaveLength(4_096);
});

test('after the store was away the record is read at once, and as seldom as before then', () => {
  const watch = new StepWatch();
  watch.follow(asking(STEP), 1_000);
  watch.doubt(2_000);
  expect(watch.readAt(STEP)).toBe(2_000);
  watch.wasRead(2_000);
  expect(watch.readAt(STEP)).toBe(7_000);
});
