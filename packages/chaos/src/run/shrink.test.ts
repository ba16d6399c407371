import { expect, test } from 'vitest';
import { drawPlan } from '../plan/draw-plan.js';
import type { Plan } from '../plan/plan.js';
import { shrink } from './shrink.js';

const planOf = (count: number): Plan => {
  const [fault] = drawPlan(1).faults;
  return { seed: 1, store: 'single', faults: Array.from({ length: count }, (_, index) => ({ ...fault!, id: index + 1 })) };
};
const ids = (plan: Plan): readonly number[] => plan.faults.map(({ id }) => id);

test('a schedule is shrunk to the faults that it takes to fail', async () => {
  const needs = [3, 6];
  const { plan, isRepeated } = await shrink(planOf(8), (part) => Promise.resolve(needs.every((id) => ids(part).includes(id))));
  expect({ ids: ids(plan), isRepeated }).toEqual({ ids: needs, isRepeated: true });
});

test('a fault that was needed beside another is left out once that one is gone', async () => {
  const failing = ['1,2,3,4', '1,2,3', '2,3'];
  const { plan } = await shrink(planOf(4), (part) => Promise.resolve(failing.includes(ids(part).join(','))));
  expect(ids(plan)).toEqual([2, 3]);
});

test('one that fails without any fault is shrunk to none', async () => {
  const { plan } = await shrink(planOf(5), () => Promise.resolve(true));
  expect(plan.faults).toEqual([]);
});

test('one that does not fail again is left as it is, and said to be', async () => {
  const { plan, isRepeated, runs } = await shrink(planOf(3), () => Promise.resolve(false));
  expect({ faults: plan.faults.length, isRepeated, runs }).toEqual({ faults: 3, isRepeated: false, runs: 2 });
});

test('where it is late only this is tried, whether it fails again', async () => {
  const { plan, isRepeated, runs } = await shrink(
    planOf(3),
    () => Promise.resolve(true),
    () => true,
  );
  expect({ faults: plan.faults.length, isRepeated, runs }).toEqual({ faults: 3, isRepeated: true, runs: 1 });
});
