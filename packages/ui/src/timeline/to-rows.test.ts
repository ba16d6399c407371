import { expect, test } from 'vitest';
import { EMPTY_VIEW, reduceSession, type SessionEvent, type SessionView } from '@codelab/client/view';
import { JsonText, type ServerFrame } from '@codelab/protocol';
import { NO_ROWS, toRows } from './to-rows.js';

const hear = (view: SessionView, ...frames: readonly ServerFrame[]): SessionView =>
  frames.reduce((before, frame) => reduceSession(before, { kind: 'frame', frame, atMs: 0 } satisfies SessionEvent), view);
const says = (id: string, token: string): ServerFrame => ({ type: 'assistant_message', message_id: id, token, is_final: false });
const calls = (id: string, task?: string): ServerFrame => ({
  ...{ type: 'tool_call', call_id: id, tool_name: task === undefined ? 'task' : 'read_file', args: new JsonText('{}') },
  ...{ requires_approval: false, args_sha256: '', fence: 1, deadline_ms: 1, idempotency: 'safe', state: 'ready' },
  origin: task === undefined ? undefined : 'task',
  task_call_id: task,
});

test('a token draws one row anew, and no key is made again', () => {
  const before = hear(EMPTY_VIEW, says('a', 'one'), says('b', 'two'), calls('c'), says('d', 'x'));
  const rows = toRows(before.items, NO_ROWS);
  const grown = toRows(hear(before, says('d', 'y')).items, rows);
  expect(grown.keys).toBe(rows.keys);
  expect(grown.rows.map((row, index) => row === rows.rows[index])).toEqual([true, true, true, false]);
  expect(toRows(before.items, rows)).toBe(rows);
});

test('what an agent does for a task stands in the row of its task', () => {
  const view = hear(EMPTY_VIEW, calls('t'), calls('s1', 't'), calls('s2', 't'));
  const { rows, keys } = toRows(view.items, NO_ROWS);
  expect(keys).toEqual(['call:t']);
  expect(rows[0]?.steps.map(({ callId }) => callId)).toEqual(['s1', 's2']);
});

test('older items come before the others, which stay the same rows', () => {
  const view = hear(EMPTY_VIEW, says('b', 'two'));
  const rows = toRows(view.items, NO_ROWS);
  const history = [{ role: 'user', message_id: 'u', content: 'first' }];
  const paged = toRows(reduceSession(view, { kind: 'history_read', history, atMs: 0 }).items, rows);
  expect(paged.keys).toEqual(['user:u', 'assistant:b']);
});
