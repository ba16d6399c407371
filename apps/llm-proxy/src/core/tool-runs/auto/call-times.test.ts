import { expect, test } from 'vitest';
import type { ServerFrame } from '@codelab/protocol';
import { CallClock } from './call-times.js';

let now = 0;
const clock = (): CallClock => new CallClock(() => now);
const frame = (type: string, fields: object): ServerFrame => ({ type, ...fields }) as unknown as ServerFrame;
const call = (id: string, state = 'ready') => frame('tool_call', { call_id: id, tool_name: 't', state });
const decided = (id: string, outcome: string) => frame('approval_resolved', { call_id: id, outcome });
const status = (id: string, word: string) => frame('tool_status', { call_id: id, status: word });

test('a call is timed from its frame to its end, and the wait for a decision apart', () => {
  const one = clock();
  now = 100;
  expect(one.take(call('a', 'waiting_approval'))).toEqual({ call_id: 'a', name: 't', round: 1, state: 'waiting_approval' });
  now = 350;
  expect(one.take(decided('a', 'edited'))).toMatchObject({ state: 'running' });
  now = 400;
  expect(one.take(status('a', 'done'))).toMatchObject({ state: 'done' });
  expect(one.timesOf('a')).toEqual({ startedAtMs: 100, endedAtMs: 400, approvalWaitMs: 250, round: 1 });
  expect(one.timesOf('b')).toBeUndefined();
});

test('calls of one answer are one round; the next begins when all have ended', () => {
  const one = clock();
  const rounds = [call('a'), call('b'), status('a', 'done'), call('c'), status('b', 'errored'), status('c', 'canceled'), call('d')].map(
    (taken) => one.take(taken)?.round,
  );
  expect(rounds).toEqual([1, 1, 1, 1, 1, 1, 2]);
});

test('a rejection is told by its end alone, and an end only once', () => {
  const one = clock();
  one.take(call('a', 'waiting_approval'));
  expect(one.take(decided('a', 'rejected'))).toBeUndefined();
  expect(one.take(status('a', 'errored'))).toMatchObject({ state: 'failed' });
  expect(one.take(status('a', 'errored'))).toBeUndefined();
  expect(one.take(status('a', 'calling'))).toBeUndefined();
  expect(one.take(frame('turn_started', {}))).toBeUndefined();
});
