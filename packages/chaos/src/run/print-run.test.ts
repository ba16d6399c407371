import { expect, test } from 'vitest';
import { drawPlan } from '../plan/draw-plan.js';
import { cutShortLine, failureLines, seedLine, sumLine } from './print-run.js';

const plan = drawPlan(1);
const passed = { seed: 1, plan, events: [], violations: [], ms: 1_234 };
const failed = { ...passed, seed: 2, violations: [{ promise: 'R3', text: 'The turn t1 ended twice.', at: 12.3, events: [4, 9] }] };

test('a seed is a line, and the last one counts them', () => {
  expect(seedLine(passed)).toMatch(/^seed 1 +ok +1\.2 s {2}single: /);
  expect(sumLine({ results: [passed, failed] })).toBe('1 passed, 1 failed');
});

test('a run that had no time for all says how many it had time for', () => {
  expect(cutShortLine({ results: [passed, failed] }, 5)).toBe('the time was over: 2 of 5 schedules were run');
  for (const count of [2, undefined]) expect(cutShortLine({ results: [passed, failed] }, count)).toBeUndefined();
});

test('a failure names the promise, the events and the command that repeats it', () => {
  const repeat = 'codelab chaos --seed 2 --faults 1';
  const shrunk = { plan: { ...plan, faults: plan.faults.slice(0, 1) }, isRepeated: true, runs: 5 };
  const text = failureLines({ result: failed, shrunk, repeat }).join('\n');
  expect(text).toContain('seed 2 broke R3:');
  expect(text).toContain('R3 at 12 ms: The turn t1 ended twice. (events 4 9)');
  expect(text).toContain('the shortest schedule that still fails (5 runs):');
  expect(text).toContain(`again: ${repeat}`);
});

test('one that did not fail again says so', () => {
  expect(failureLines({ result: failed, shrunk: { plan, isRepeated: false, runs: 2 }, repeat: 'x' }).join('\n')).toContain(
    'did not fail again in 2 runs',
  );
});
