import { expect, test } from 'vitest';
import { ALL_FAULTS } from '../faults/all-faults.js';
import { drawPlan } from './draw-plan.js';
import { describeFault, repeatCommand } from './plan.js';

const plans = Array.from({ length: 2_000 }, (_, index) => drawPlan(index + 1));

test('a seed is one schedule', () => {
  for (const plan of plans.slice(0, 50)) expect(drawPlan(plan.seed)).toEqual(plan);
});

test('every fault comes up, at many moments, and only where it can be done', () => {
  const drawn = plans.flatMap(({ faults, store }) => faults.map((fault) => ({ ...fault, store })));
  expect(new Set(drawn.map(({ name }) => name)).size).toBe(ALL_FAULTS.length);
  for (const { name, stores } of ALL_FAULTS) {
    const of = drawn.filter((fault) => fault.name === name);
    expect(new Set(of.map(({ trigger }) => trigger.on)).size).toBeGreaterThan(5);
    if (stores !== undefined) expect(of.filter(({ store }) => !stores.includes(store))).toEqual([]);
  }
});

test('names of faults are their own', () => {
  expect(new Set(ALL_FAULTS.map(({ name }) => name)).size).toBe(ALL_FAULTS.length);
});

test('a part of a schedule is repeated by the numbers of its faults', () => {
  const all = plans.find(({ faults }) => faults.length >= 3)!;
  const part = { ...all, faults: all.faults.slice(1, 3) };
  expect(repeatCommand(all, all)).toBe(`codelab chaos --seed ${String(all.seed)}`);
  expect(repeatCommand(part, all)).toBe(`codelab chaos --seed ${String(all.seed)} --faults 2,3`);
  expect(repeatCommand({ ...all, faults: [] }, all)).toBe(`codelab chaos --seed ${String(all.seed)} --faults none`);
  expect(repeatCommand(part, all, '/opt/before')).toBe(`codelab chaos --seed ${String(all.seed)} --faults 2,3 --other /opt/before`);
  expect(describeFault(all.faults[0]!)).toContain(all.faults[0]!.name);
});
