import { expect, test } from 'vitest';
import { RunQueue } from './run-queue.js';

test('what the process that waits longest waits is counted from look to look; one that comes or goes adds nothing', () => {
  const delays = new Map([
    [1, 1_000],
    [2, 50],
  ]);
  const queue = new RunQueue((pid) => delays.get(pid));
  const look = (...news: readonly (readonly [pid: number, ms: number])[]): number => {
    for (const [pid, ms] of news) delays.set(pid, ms);
    return queue.waitedMs([1, 2, 3]);
  };
  expect([look(), look([1, 1_030], [2, 55]), look([3, 700]), look([3, 702]), look([3, 1])]).toEqual([0, 30, 0, 2, 0]);
  delays.clear();
  expect(look()).toBe(0);
});

test('a process of this machine can be looked at', () => {
  const queue = new RunQueue();
  queue.waitedMs([process.pid]);
  expect(queue.waitedMs([process.pid])).toBeGreaterThanOrEqual(0);
});
