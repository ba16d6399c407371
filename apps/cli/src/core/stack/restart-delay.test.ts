import { expect, test } from 'vitest';
import { nextRestart } from './restart-delay.js';

test('pauses double up to five seconds, and begin anew after a long life', () => {
  const delays: number[] = [];
  let deaths = 0;
  for (const lived of [0, 0, 0, 0, 0, 0, 0, 0, 60_000, 0]) {
    const next = nextRestart(deaths, lived);
    deaths = next.deaths;
    delays.push(next.delayMs);
  }
  expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 100, 200]);
});
