import { expect, test } from '@jest/globals';
import { JsonText } from '@codelab/protocol';
import type { ServerFrame } from '@codelab/protocol';
import { reduceSession } from './reduce-session.js';
import type { SessionEvent } from './session-event.js';
import type { Item, SessionView } from './session-view.js';
import { EMPTY_SESSION } from './session-view.js';

const SHA = 'a'.repeat(64);
const welcome = (extra: object = {}): ServerFrame => ({
  type: 'welcome',
  session_id: 's',
  protocol_version: '2.0',
  epoch: 'e',
  seq: 0,
  recovered: false,
  executor: 'you',
  limits: {},
  ...extra,
});
const text = (message_id: string, token: string, extra: object = {}): ServerFrame => ({
  type: 'assistant_message',
  message_id,
  token,
  is_final: false,
  ...extra,
});
const call = (call_id: string, extra: object = {}): ServerFrame => ({
  type: 'tool_call',
  call_id,
  tool_name: 'write_file',
  args: new JsonText('{"path":"a.ts","content":"x"}'),
  requires_approval: true,
  args_sha256: SHA,
  fence: 1,
  deadline_ms: 60_000,
  idempotency: 'unsafe',
  state: 'waiting_approval',
  approval: { reason: 'it writes', risk: 'medium', choices: ['approve', 'edit', 'reject'] },
  ...extra,
});
const started: ServerFrame = { type: 'turn_started', turn_id: 't1', message_ids: ['m1'], model: 'offline' };
const ended = (status: 'completed' | 'failed' | 'cancelled', extra: object = {}): ServerFrame => ({
  type: 'turn_ended',
  turn_id: 't1',
  message_ids: ['m1'],
  model: 'offline',
  status,
  usage: { input_tokens: 10, output_tokens: 2 },
  ...extra,
});

type Step = ServerFrame | { [Kind in SessionEvent['kind']]: Omit<Extract<SessionEvent, { kind: Kind }>, 'atMs'> }[SessionEvent['kind']];

function reduce(steps: readonly Step[], from: SessionView = EMPTY_SESSION): SessionView {
  return steps.reduce((view, step, index) => {
    const event = 'type' in step ? { kind: 'frame' as const, frame: step, atMs: index * 10 } : { ...step, atMs: index * 10 };
    return reduceSession(view, event);
  }, from);
}
const sent: Step = { kind: 'message_sent', messageId: 'm1', content: 'hello' };
const accepted: ServerFrame = { type: 'message_accepted', message_id: 'm1', turn_id: 't1', state: 'started' };
const callOf = (view: SessionView): Extract<Item, { kind: 'call' }> => view.items.find((item) => item.kind === 'call')!;

test('a turn from message to end', () => {
  const view = reduce([
    welcome(),
    sent,
    accepted,
    started,
    text('a1', 'Hel'),
    text('a1', 'lo', { is_final: true, content: 'Hello' }),
    ended('completed'),
  ]);
  expect(view).toMatchObject({
    sessionId: 's',
    executor: 'you',
    model: 'offline',
    turn: undefined,
    usage: { inputTokens: 10, outputTokens: 2 },
  });
  expect(view.items).toMatchObject([
    { kind: 'user', content: 'hello', state: 'accepted' },
    { kind: 'assistant', text: 'Hello', done: true },
    { kind: 'turn_end', status: 'completed', elapsedMs: 30 },
  ]);
});

test.each<[string, readonly Step[], object]>([
  ['waits', [call('c1')], { progress: 'waiting' }],
  [
    'needs no approval',
    [call('c1', { requires_approval: false, state: 'ready', approval: undefined })],
    { progress: 'ready', startedAtMs: 0 },
  ],
  [
    'is approved, runs, succeeds',
    [
      call('c1'),
      { type: 'approval_resolved', call_id: 'c1', outcome: 'approved', args_sha256: SHA, by: 'me', at_ms: 1 },
      { kind: 'call_started', callId: 'c1' },
      { kind: 'call_finished', callId: 'c1', summary: '1 line' },
      { type: 'tool_result_ack', call_id: 'c1', outcome: 'accepted' },
    ],
    { progress: 'done', startedAtMs: 20, endedAtMs: 30, summary: '1 line', approval: { outcome: 'approved', by: 'me', risk: 'medium' } },
  ],
  [
    'is edited',
    [
      call('c1'),
      {
        type: 'approval_resolved',
        call_id: 'c1',
        outcome: 'edited',
        args: new JsonText('{"path":"b.ts"}'),
        args_sha256: 'b',
        by: 'me',
        at_ms: 1,
      },
    ],
    { progress: 'ready', args: '{"path":"b.ts"}', argsSha256: 'b' },
  ],
  [
    'is rejected with words',
    [
      call('c1'),
      { type: 'approval_resolved', call_id: 'c1', outcome: 'rejected', feedback: 'not there', args_sha256: SHA, by: 'me', at_ms: 1 },
    ],
    { progress: 'rejected', feedback: 'not there' },
  ],
  [
    'expires, which nobody refused',
    [call('c1'), { type: 'approval_resolved', call_id: 'c1', outcome: 'expired', args_sha256: SHA, by: 'policy', at_ms: 1 }],
    { progress: 'failed', error: { code: 'APPROVAL_TIMED_OUT' } },
  ],
  [
    'fails',
    [call('c1', { state: 'ready' }), { kind: 'call_finished', callId: 'c1', error: { code: 'FILE_NOT_FOUND', message: 'no a.ts' } }],
    { progress: 'failed', error: { code: 'FILE_NOT_FOUND' } },
  ],
  [
    'ends unknown, which is not a failure',
    [call('c1', { state: 'ready' }), { kind: 'call_finished', callId: 'c1', error: { code: 'OUTCOME_UNKNOWN', message: '' } }],
    { progress: 'unknown' },
  ],
  [
    'is sent again while it runs',
    [call('c1', { state: 'ready' }), { kind: 'call_started', callId: 'c1' }, call('c1', { state: 'ready', redelivered: true })],
    { progress: 'running' },
  ],
  [
    'is sent again after its end',
    [call('c1', { state: 'ready' }), { kind: 'call_finished', callId: 'c1' }, call('c1', { redelivered: true })],
    { progress: 'done' },
  ],
  ['runs elsewhere', [call('c1', { state: 'ready' }), { type: 'tool_status', call_id: 'c1', status: 'errored' }], { progress: 'failed' }],
  ['is open when the turn is cancelled', [started, call('c1'), ended('cancelled')], { progress: 'cancelled' }],
])('a call that %s', (_, steps, expected) => {
  const view = reduce(steps);
  expect(view.items.filter((item) => item.kind === 'call')).toHaveLength(1);
  expect(callOf(view)).toMatchObject(expected);
});

test('a message sent while a turn runs waits, and enters the conversation when its turn starts', () => {
  const queued = reduce([
    started,
    { ...sent, messageId: 'm2' },
    { type: 'message_accepted', message_id: 'm2', turn_id: 't2', state: 'queued', position: 1 },
  ]);
  expect(queued.queue).toEqual([{ messageId: 'm2', content: 'hello' }]);
  expect(queued.items).toEqual([]);
  const view = reduce([ended('completed'), { ...started, turn_id: 't2', message_ids: ['m2'] }], queued);
  expect(view.queue).toEqual([]);
  expect(view.items.map((item) => item.kind)).toEqual(['turn_end', 'user']);
});

test('a message that turns out to be queued leaves the conversation until its turn', () => {
  const view = reduce([sent, { type: 'message_accepted', message_id: 'm1', turn_id: 't1', state: 'queued', position: 2 }]);
  expect(view).toMatchObject({ items: [], queue: [{ messageId: 'm1' }] });
});

test('a refused message says why', () => {
  const view = reduce([sent, { type: 'error', code: 'QUEUE_FULL', message: 'wait', retryable: true, reply_to: 'm1' }]);
  expect(view.items).toMatchObject([
    { kind: 'user', state: 'refused' },
    { kind: 'notice', tone: 'warning', text: 'wait' },
  ]);
});

test('a repeated model request replaces the message, and text before a call is over with the call', () => {
  const view = reduce([text('a1', 'Let me'), text('a2', 'Let me see', { replaces: 'a1' }), call('c1')]);
  expect(view.items).toMatchObject([
    { messageId: 'a1', replaced: true },
    { messageId: 'a2', done: true, text: 'Let me see' },
    { kind: 'call' },
  ]);
});

test('an old turn_ended changes nothing the second time', () => {
  const once = reduce([started, ended('completed')]);
  expect(reduceSession(once, { kind: 'frame', frame: ended('completed'), atMs: 99 })).toBe(once);
});

/** A conversation as frames, and what a snapshot says of it after each of them. */
const FRAMES: readonly ServerFrame[] = [
  started,
  text('a1', 'I read.'),
  call('c1', { state: 'ready' }),
  text('a2', 'Done'),
  text('a2', '.', { is_final: true, content: 'Done.' }),
];
const user = { role: 'user', message_id: 'm1', content: 'hello', at_ms: 1 };
const asked = {
  role: 'assistant',
  message_id: 'a1',
  content: 'I read.',
  tool_calls: [{ call_id: 'c1', tool_name: 'write_file', arguments: '{"path":"a.ts","content":"x"}' }],
};
const answered = { role: 'tool', call_id: 'c1', tool_name: 'write_file', content: '{"success":true}', is_error: false };
const turn = { turn_id: 't1', status: 'running' };
const { args, ...openCall } = call('c1', { state: 'ready' }) as Extract<ServerFrame, { type: 'tool_call' }>;
const SNAPSHOTS: readonly (readonly [after: number, snapshot: object])[] = [
  [1, { seq: 1, history: [user], turn, open_calls: [], todos: [], queue: [] }],
  [2, { seq: 2, history: [user], turn, open_calls: [], todos: [], queue: [], partial: { message_id: 'a1', text: 'I read.' } }],
  [3, { seq: 3, history: [user, asked], turn, open_calls: [{ ...openCall, args: args.parse() }], todos: [], queue: [] }],
  [
    4,
    { seq: 4, history: [user, asked, answered], turn, open_calls: [], todos: [], queue: [], partial: { message_id: 'a2', text: 'Done' } },
  ],
  [
    5,
    {
      seq: 5,
      history: [user, asked, answered, { role: 'assistant', message_id: 'a2', content: 'Done.' }],
      turn,
      open_calls: [],
      todos: [],
      queue: [],
    },
  ],
];

test.each(SNAPSHOTS)('a snapshot after %i frames and the rest equals all frames', (after, snapshot) => {
  const plain = (view: SessionView): unknown =>
    view.items.map((item) => ({ ...item, argsSha256: '', approval: undefined, startedAtMs: 0, endedAtMs: 0, final: true }));
  const end = [ended('completed', { usage: { input_tokens: 1, output_tokens: 1 } })];
  const live = reduce([welcome(), sent, accepted, ...FRAMES, { type: 'tool_result_ack', call_id: 'c1', outcome: 'accepted' }, ...end]);
  const late = reduce([
    welcome({ seq: after, snapshot }),
    ...FRAMES.slice(after),
    { type: 'tool_result_ack', call_id: 'c1', outcome: 'accepted' },
    ...end,
  ]);
  const without = (view: SessionView): SessionView => ({
    ...view,
    items: view.items.map((item) => (item.kind === 'turn_end' ? { ...item, elapsedMs: 0 } : item)),
  });
  expect(plain(without(late))).toEqual(plain(without(live)));
  expect(plain(without(reduce([welcome({ seq: 5, snapshot: SNAPSHOTS[4]![1] })], live)))).toEqual(plain(without(live)));
});

test('what a model read of failed calls shows as what it was', () => {
  const history = [
    {
      role: 'tool',
      call_id: 'r',
      tool_name: 'write_file',
      content: 'Error [DENIED_BY_USER]: The user rejected this call. They said: no',
      is_error: true,
    },
    { role: 'tool', call_id: 'u', tool_name: 'write_file', content: 'Error [OUTCOME_UNKNOWN]: died', is_error: true },
    { role: 'tool', call_id: 'f', tool_name: 'read_file', content: 'Error [FILE_NOT_FOUND]: x', is_error: true },
    { role: 'note', content: 'a note', at_ms: 3 },
  ];
  const view = reduce([welcome({ snapshot: { seq: 1, history, open_calls: [], todos: [], queue: [] } })]);
  expect(view.items).toMatchObject([
    { progress: 'rejected', feedback: 'no' },
    { progress: 'unknown' },
    { progress: 'failed', error: { code: 'FILE_NOT_FOUND' } },
    { kind: 'notice' },
  ]);
});

test('a call of a program stands apart from the turns, and a question of it is forgotten with the connection', () => {
  const program = (id: string, extra: object = {}): ServerFrame => call(id, { origin: 'proxy', ...extra });
  const view = reduce([welcome(), started, text('a1', 'Hel'), program('p1'), text('a1', 'lo'), ended('completed'), program('p2')]);
  const callsOf = ({ items }: SessionView) =>
    items.flatMap((item) => (item.kind === 'call' ? [[item.callId, item.progress, item.program]] : []));
  expect(callsOf(view)).toEqual([
    ['p1', 'waiting', true],
    ['p2', 'waiting', true],
  ]);
  expect(view).toMatchObject({ activity: 'idle', items: expect.arrayContaining([expect.objectContaining({ text: 'Hello', done: true })]) });
  const back = reduce([{ kind: 'call_started', callId: 'p1' }, welcome({ recovered: true }), program('p3')], view);
  expect(callsOf(back)).toEqual([
    ['p1', 'running', true],
    ['p3', 'waiting', true],
  ]);
});
