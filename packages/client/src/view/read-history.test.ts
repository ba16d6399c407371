import { expect, test } from 'vitest';
import type { ServerFrame } from '@codelab/protocol';
import { readHistory } from './read-history.js';
import { reduceSession } from './reduce-session.js';
import { EMPTY_VIEW, type SessionView } from './session-view.js';

const VOCABULARY = { vocabulary: 'agent' } as const;

const asks = (callId: string, tool: string, args: object, more: object = {}): object => ({
  role: 'assistant',
  message_id: `m_${callId}`,
  content: '',
  tool_calls: [{ call_id: callId, tool_name: tool, arguments: JSON.stringify(args), ...more }],
});
const answers = (callId: string, content: string): object => ({ role: 'tool', call_id: callId, content, is_error: false });
const open = (callId: string, tool: string): object => ({
  type: 'tool_call',
  call_id: callId,
  tool_name: tool,
  args: { path: 'a.txt' },
  args_sha256: 'd',
  state: 'waiting_approval',
  requires_approval: true,
});

const welcome = (history: readonly object[], calls: readonly object[]): ServerFrame =>
  ({
    type: 'welcome',
    session_id: 's',
    protocol_version: '2.1',
    epoch: 'e',
    seq: 1,
    recovered: false,
    executor: 'you',
    limits: {},
    snapshot: { seq: 1, history, turn: { turn_id: 't', status: 'running' }, open_calls: calls, todos: [], queue: [] },
  }) as unknown as ServerFrame;

const see = (frame: ServerFrame, before: SessionView = EMPTY_VIEW): SessionView => reduceSession(before, { kind: 'frame', frame, atMs: 1 });
const callsOf = ({ items }: Pick<SessionView, 'items'>) =>
  items.flatMap((item) => (item.kind === 'call' ? [[item.callId, item.toolName, item.progress]] : []));

test('of an edit in another vocabulary that makes a second call, that call is the one row of a session that is read anew', () => {
  const history = [asks('use_1', 'write_file', { file_path: 'a.txt', old_string: 'x', new_string: 'y' }, VOCABULARY)];
  expect(callsOf(see(welcome(history, [open('call_2', 'write_file')])))).toEqual([['call_2', 'write_file', 'waiting']]);
  expect(callsOf(see(welcome([asks('call_1', 'write_file', {})], [open('call_1', 'write_file')])))).toEqual([
    ['call_1', 'write_file', 'waiting'],
  ]);
});

test('a use that has ended is one row, and what the model wrote into the task list is none', () => {
  const edit = [asks('use_1', 'write_file', { file_path: 'a.txt' }, VOCABULARY), answers('use_1', 'Edited a.txt.')];
  const list = [asks('use_2', 'todos', { todos: [{ content: 'x' }] }, VOCABULARY), answers('use_2', 'Todos saved: 1 pending.')];
  expect(callsOf({ items: readHistory([...edit, ...list]) })).toEqual([['use_1', 'write_file', 'done']]);
});

test('a call that was seen live keeps its own tool, arguments and result when the history tells of its use', () => {
  const live = see(welcome([], [open('use_1', 'read_file'), open('call_2', 'write_file')]));
  const history = [asks('use_1', 'write_file', { file_path: 'a.txt' }, VOCABULARY), answers('use_1', 'Edited a.txt.')];
  const again = see(welcome(history, []), live);
  expect(again.items.find((item) => item.kind === 'call' && item.callId === 'use_1')).toMatchObject({
    toolName: 'read_file',
    args: '{"path":"a.txt"}',
    progress: 'done',
  });
});
