import { expect, test } from 'vitest';
import type { ChaosEvent, ChaosFrame } from '../recording/chaos-event.js';
import { momentsOf, thingOf } from './moment-of.js';

const frame = (direction: 'in' | 'out', observer: string, said: ChaosFrame): ChaosEvent => ({
  ...{ at: 1, kind: 'frame', observer, connection: 1, direction },
  frame: said,
});
const told = (said: ChaosFrame, observer = 'watcher/s1'): ChaosEvent => frame('in', observer, said);

test('what two observers of a session see is one thing, and what stands in another session is another', () => {
  const call = { type: 'tool_call', call_id: 'c1', state: 'waiting_approval' };
  expect(thingOf(told(call))).toBe(thingOf(told({ ...call, state: 'ready' }, 'client-1/s1')));
  expect(thingOf(told(call))).not.toBe(thingOf(told(call, 'watcher/s2')));
  expect(thingOf(told(call))).not.toBe(thingOf(told({ ...call, call_id: 'c2' })));
});

test('each piece of a text is its own, and what has no id is never the same', () => {
  const piece = { type: 'assistant_message', message_id: 'a1', seq: 4 };
  expect(thingOf(told(piece))).not.toBe(thingOf(told({ ...piece, seq: 5 })));
  expect([thingOf(told({ type: 'welcome' })), thingOf(told({ type: 'executor_changed' }))]).toEqual(['', '']);
});

test.each<[ChaosEvent, readonly string[]]>([
  [told({ type: 'tool_call', call_id: 'c1', state: 'waiting_approval' }), ['call', 'approval']],
  [told({ type: 'tool_status', call_id: 'c1', tool_name: 'task', status: 'calling' }), ['child']],
  [told({ type: 'tool_status', call_id: 'c1', tool_name: 'task', status: 'done' }), ['child-end']],
  [told({ type: 'tool_status', call_id: 'c1', tool_name: 'read_file', status: 'done' }), []],
  [told({ type: 'approval_updated', call_id: 'c1' }), ['preview']],
  [frame('out', 'client-1/s1', { type: 'tool_preview', call_id: 'c1' }), ['preview']],
  [frame('out', 'client-1/s1', { type: 'tool_ack', call_id: 'c1', state: 'started' }), ['started']],
  [told({ type: 'tool_output', call_id: 'c1', stream: 'stdout', offset: 0 }), ['output']],
  [told({ type: 'queue_updated', seq: 3 }), ['queue']],
  [told({ type: 'turn_steered', turn_id: 't1', message_ids: ['m2'] }), ['queue']],
  [told({ type: 'executor_changed', executor: 'you' }), ['executor']],
  [{ at: 1, kind: 'socket', observer: 'watcher/s1', connection: 2, what: 'open' }, ['connect']],
])('%j is %j', (event, moments) => expect(momentsOf(event)).toEqual(moments));
