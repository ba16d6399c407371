import { expect, test } from 'vitest';
import type { LlmErrorCode } from '@codelab/llm';
import {
  Breaker,
  MAX_CONSECUTIVE_FAILURES,
  MAX_FAILURES_IN_WINDOW,
  MAX_OPEN_MS,
  OPEN_MS,
  type BreakerState,
  type Pass,
} from './breaker.js';

function setUp() {
  const clock = { nowMs: 0 };
  const states: BreakerState[] = [];
  const breaker = new Breaker({ now: () => clock.nowMs, onChange: (state) => void states.push(state) });
  const pass = (): Pass => {
    const entered = breaker.enter();
    if ('waitMs' in entered) throw new Error(`refused for ${entered.waitMs} ms`);
    return entered;
  };
  const fail = (code: LlmErrorCode | undefined, times = 1) => {
    for (let i = 0; i < times; i++) pass().failed(code);
  };
  return { breaker, clock, states, pass, fail };
}

test('failures one after another open it; a success between them doesn’t let them add up', () => {
  const { breaker, pass, fail } = setUp();
  fail('timeout', MAX_CONSECUTIVE_FAILURES - 1);
  pass().succeeded();
  fail('overloaded', 1);
  expect(breaker.state).toBe('closed');
});

test('half of the latest outcomes open it too', () => {
  const { breaker, pass, fail } = setUp();
  for (let i = 0; i < MAX_FAILURES_IN_WINDOW - 1; i++) {
    fail('unavailable');
    pass().succeeded();
  }
  expect(breaker.state).toBe('closed');
  fail('unavailable');
  expect(breaker.state).toBe('open');
});

test.each(['rate_limited', 'unauthorized', 'invalid_request', 'not_found', 'quota_exceeded', undefined] as const)(
  'an upstream that answers is healthy, be it with %s',
  (code) => {
    const { breaker, fail } = setUp();
    fail(code, 50);
    expect(breaker.state).toBe('closed');
  },
);

test('while it is open it says how long; then one request tries, and closes it', () => {
  const { breaker, clock, states, pass, fail } = setUp();
  fail('unavailable', MAX_CONSECUTIVE_FAILURES);
  clock.nowMs = 2_000;
  expect(breaker.enter()).toEqual({ waitMs: OPEN_MS - 2_000 });
  clock.nowMs = OPEN_MS;
  const first = pass();
  expect(breaker.enter()).toEqual({ waitMs: OPEN_MS });
  first.succeeded();
  fail('unavailable', MAX_CONSECUTIVE_FAILURES - 1);
  expect(states).toEqual(['open', 'half_open', 'closed']);
});

test('a try that fails doubles the pause, up to a limit', () => {
  const { breaker, clock, pass, fail } = setUp();
  fail('unavailable', MAX_CONSECUTIVE_FAILURES);
  const pauses: number[] = [];
  for (let i = 0; i < 6; i++) {
    const entered = breaker.enter();
    if (!('waitMs' in entered)) throw new Error('let through');
    pauses.push(entered.waitMs);
    clock.nowMs += entered.waitMs;
    pass().failed('timeout');
  }
  expect(pauses).toEqual([OPEN_MS, 10_000, 20_000, 40_000, MAX_OPEN_MS, MAX_OPEN_MS]);
});

test('a try whose caller left says nothing: the next request tries', () => {
  const { breaker, clock, pass, fail } = setUp();
  fail('unavailable', MAX_CONSECUTIVE_FAILURES);
  clock.nowMs = OPEN_MS;
  pass().failed(undefined);
  pass().failed('invalid_request'); // it answers
  expect(breaker.state).toBe('closed');
});

test('requests that were let through before it opened change nothing when they come back', () => {
  const { breaker, clock, pass, fail } = setUp();
  const late = [pass(), pass()];
  fail('unavailable', MAX_CONSECUTIVE_FAILURES);
  late[0]?.succeeded();
  expect(breaker.state).toBe('open');
  clock.nowMs = OPEN_MS;
  pass();
  late[1]?.failed('unavailable');
  expect(breaker.state).toBe('half_open');
});
