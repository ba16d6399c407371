import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { ChaosEvent } from '../recording/chaos-event.js';
import { latenciesOf } from './latencies.js';

const frame = (at: number, observer: string, direction: 'in' | 'out', type: string, more: object = {}): ChaosEvent => ({
  ...{ at, kind: 'frame', observer, connection: 1, direction },
  frame: { type, ...more },
});

test(verifies('R3:chaos-report', 'how long a client waited counts from when it first said something to its answer'), () => {
  const said = { message_id: 'm1' };
  const events: ChaosEvent[] = [
    frame(10, 'client', 'out', 'user_message', said),
    frame(500, 'client', 'out', 'user_message', said),
    frame(620, 'client', 'in', 'message_accepted', said),
    frame(630, 'watcher', 'in', 'message_accepted', said),
    frame(700, 'client', 'out', 'tool_result', { call_id: 'c1' }),
    { at: 800, kind: 'socket', observer: 'client', connection: 1, what: 'closed', code: 1006 },
    frame(950, 'client', 'in', 'welcome'),
  ];
  expect(Object.fromEntries(latenciesOf(events))).toEqual({ 'message to acceptance': [610], 'lost connection to welcome': [150] });
});
