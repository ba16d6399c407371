import { expect, test } from 'vitest';
import { deferred } from '../../test/support.js';
import { CallLanes, type LaneJob } from './call-lanes.js';

const makeJobs = () => {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const job = (order: number, unsafe: boolean): LaneJob => ({
    order,
    unsafe,
    start: () => {
      const { promise, resolve } = deferred<void>();
      begun.push(order);
      ends.set(order, () => resolve());
      return promise;
    },
  });
  const end = async (order: number): Promise<void> => {
    ends.get(order)!();
    await new Promise(setImmediate);
  };
  return { begun, job, end };
};

test('unsafe jobs that wait start in the order in which they came, however late they were decided', async () => {
  const { begun, job, end } = makeJobs();
  const lanes = new CallLanes();
  lanes.openUnsafe(true);
  for (const order of [1, 4, 3, 2]) lanes.add(job(order, true));
  for (const order of [1, 2, 3]) await end(order);
  expect(begun).toEqual([1, 2, 3, 4]);
});

test('a closed lane lets nothing unsafe begin, and safe jobs pass it', async () => {
  const { begun, job, end } = makeJobs();
  const lanes = new CallLanes();
  lanes.add(job(1, true));
  lanes.add(job(2, false));
  expect(begun).toEqual([2]);
  lanes.openUnsafe(true);
  expect(begun).toEqual([2, 1]);
  lanes.openUnsafe(false);
  lanes.add(job(3, true));
  await end(1);
  expect(begun).toEqual([2, 1]);
});

test('at most 16 safe jobs run side by side, and one that is taken out never runs', async () => {
  const { begun, job, end } = makeJobs();
  const lanes = new CallLanes();
  const jobs = Array.from({ length: 20 }, (_, order) => job(order, false));
  for (const each of jobs) lanes.add(each);
  expect(begun).toHaveLength(16);
  expect(lanes.remove(jobs[16]!)).toBe(true);
  expect(lanes.remove(jobs[0]!)).toBe(false);
  await end(0);
  expect(begun.at(-1)).toBe(17);
});
