import { expect, test } from 'vitest';
import type { ChaosEvent } from '../../recording/chaos-event.js';
import { faultLanes } from './fault-lanes.js';
import { processLanes } from './process-lanes.js';
import { sessionLanes } from './session-lanes.js';
import { socketLanes } from './socket-lanes.js';
import { packRows } from './timeline.js';

const frame = (at: number, direction: 'in' | 'out', fields: { readonly type: string } & Readonly<Record<string, unknown>>): ChaosEvent => ({
  kind: 'frame',
  observer: 'ada',
  connection: 1,
  direction,
  frame: fields,
  at,
});

test('a process is starting, ready, frozen, ready again, and ends', () => {
  const process = (at: number, what: 'started' | 'ready' | 'frozen' | 'thawed' | 'exited'): ChaosEvent => ({
    kind: 'process',
    name: 'gateway-1',
    pid: 7,
    what,
    at,
  });
  const events = [
    process(0, 'started'),
    process(10, 'ready'),
    process(20, 'frozen'),
    process(30, 'thawed'),
    process(40, 'exited'),
    process(50, 'started'),
  ];
  const [lane] = processLanes(events, 60).lanes;
  expect(lane?.bars.map(({ from, to, tone, open }) => [from, to, tone, open])).toEqual([
    [0, 10, 'soft', false],
    [10, 20, 'good', false],
    [20, 30, 'frozen', false],
    [30, 40, 'good', false],
    [50, 60, 'soft', true],
  ]);
  expect(lane?.marks).toEqual([{ at: 40, shape: 'cross', tone: 'bad', event: 4 }]);
});

test('a fault lasts until it is healed, and one that never is until the end', () => {
  const fault = (at: number, id: number, phase: 'begin' | 'end'): ChaosEvent => ({
    kind: 'fault',
    id,
    name: 'kill',
    target: 'redis',
    phase,
    at,
  });
  const [lane] = faultLanes([fault(5, 1, 'begin'), fault(9, 1, 'end'), fault(80, 2, 'begin')], 100).lanes;
  expect(lane?.bars.map(({ from, to, open }) => [from, to, open])).toEqual([
    [5, 9, false],
    [80, 100, true],
  ]);
});

test('a connection is a bar, its frames are marks, and its close is one', () => {
  const socket = (at: number, what: 'open' | 'closed'): ChaosEvent => ({ kind: 'socket', observer: 'ada', connection: 1, what, at });
  const [lane] = socketLanes(
    [socket(1, 'open'), frame(2, 'out', { type: 'auth' }), frame(3, 'in', { type: 'error' }), socket(4, 'closed')],
    9,
  ).lanes;
  expect(lane?.bars).toMatchObject([{ from: 1, to: 4 }]);
  expect(lane?.marks.map(({ shape, tone }) => [shape, tone])).toEqual([
    ['up', 'plain'],
    ['down', 'bad'],
    ['cross', 'bad'],
  ]);
});

test('a turn ends as it was told, and a second word of it, from another observer, changes nothing', () => {
  const events: ChaosEvent[] = [
    { kind: 'observer', observer: 'ada', role: 'executor', owner: 'ada', session: 's1', at: 0 },
    frame(1, 'in', { type: 'turn_started', turn_id: 't1' }),
    frame(2, 'in', { type: 'tool_call', call_id: 'c1', tool_name: 'read_file' }),
    frame(3, 'in', { type: 'tool_result_ack', call_id: 'c1', status: 'accepted' }),
    frame(4, 'in', { type: 'turn_ended', turn_id: 't1', status: 'failed' }),
    frame(5, 'in', { type: 'turn_ended', turn_id: 't1', status: 'completed' }),
  ];
  const [turns, calls] = sessionLanes(events, 9).lanes;
  expect(turns).toMatchObject({ name: 's1 · turns', bars: [{ from: 1, to: 4, tone: 'bad', label: 'failed', event: 1 }] });
  expect(calls).toMatchObject({ name: 'calls', bars: [{ from: 2, to: 3, tone: 'good', label: 'read_file' }] });
});

test('what overlaps is put into rows, as few as there must be', () => {
  const spans = [
    { from: 0, to: 10 },
    { from: 5, to: 6 },
    { from: 10, to: 12 },
    { from: 7, to: 9 },
  ];
  expect(packRows(spans, 0).map((row) => row.map(({ from }) => from))).toEqual([
    [0, 10],
    [5, 7],
  ]);
});
