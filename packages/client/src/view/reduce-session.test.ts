import { expect, test } from 'vitest';
import { JsonText } from '@codelab/protocol';
import type { ServerFrame } from '@codelab/protocol';
import { reduceSession, type SessionEvent } from './reduce-session.js';
import { EMPTY_VIEW, type Item, type SessionView } from './session-view.js';

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

function reduce(steps: readonly Step[], from: SessionView = EMPTY_VIEW): SessionView {
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
    usage: { input_tokens: 10, output_tokens: 2 },
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
    'can’t be done, as its preview says',
    [
      call('c1'),
      {
        ...{ type: 'approval_resolved', call_id: 'c1', outcome: 'cancelled', args_sha256: SHA, by: 'executor', at_ms: 1 },
        error: { code: 'FILE_NOT_FOUND', message: 'File not found: a.ts' },
      },
      { type: 'tool_status', call_id: 'c1', status: 'errored' },
    ],
    { progress: 'failed', error: { code: 'FILE_NOT_FOUND', message: 'File not found: a.ts' } },
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
  [
    'fails elsewhere',
    [
      call('c1', { state: 'ready' }),
      { type: 'tool_status', call_id: 'c1', status: 'errored', error: { code: 'TOOL_FAILED', message: 'no such page' } },
    ],
    { progress: 'failed', error: { code: 'TOOL_FAILED', message: 'no such page' } },
  ],
  [
    'ends unknown elsewhere',
    [
      call('c1', { state: 'ready' }),
      { type: 'tool_status', call_id: 'c1', status: 'errored', error: { code: 'OUTCOME_UNKNOWN', message: '' } },
    ],
    { progress: 'unknown' },
  ],
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

test('a message whose queue is told before its turn enters the conversation, one of another window too, and one taken out does not', () => {
  const queue = [
    { message_id: 'm2', content: 'mine' },
    { message_id: 'm3', content: 'of another window' },
    { message_id: 'm4', content: 'taken out' },
  ];
  const waiting = reduce([started, { ...sent, messageId: 'm2', content: 'mine' }, { type: 'queue_updated', queue }]);
  const view = reduce(
    [{ type: 'queue_updated', queue: [] }, ended('completed'), { ...started, turn_id: 't2', message_ids: ['m2', 'm3'] }],
    waiting,
  );
  expect(view.items.flatMap((item) => (item.kind === 'user' ? [item.content] : []))).toEqual(['mine', 'of another window']);
  expect(view.leaving.map(({ messageId }) => messageId)).toEqual(['m4']);
});

test('a message of another window stands where it was named, once its text was found', () => {
  const view = reduce([
    { kind: 'message_named', messageId: 'm9' },
    { kind: 'notice', tone: 'info', text: 'after it' },
    { kind: 'message_found', messageId: 'm9', content: 'there' },
    { kind: 'message_found', messageId: 'm9', content: 'again' },
  ]);
  expect(view.items).toMatchObject([{ kind: 'user', messageId: 'm9', content: 'there', state: 'accepted' }, { text: 'after it' }]);
});

test('a wait for the model is shown by this clock, until there is news', () => {
  const retry = {
    reason: 'rate_limited',
    message: 'Slow down',
    attempt: 2,
    max_attempts: 4,
    retry_after_ms: 35_000,
    retry_at_ms: 1,
  } as const;
  const waiting = reduce([started, { type: 'agent_status', status: 'thinking', turn_id: 't1', retry }]);
  expect(waiting.retry).toEqual({ reason: 'rate_limited', message: 'Slow down', attempt: 2, maxAttempts: 4, atMs: 10 + 35_000 });
  const news: ServerFrame[] = [{ type: 'agent_status', status: 'thinking' }, text('a1', 'Hi'), ended('failed')];
  for (const frame of news) expect(reduce([frame], waiting).retry).toBeUndefined();
});

test('a steered message waits beside the queue, and enters the conversation when it goes into the turn; one of another window, too', () => {
  const waiting = reduce([
    started,
    { ...sent, messageId: 'm2', content: 'mine', whenBusy: 'steer' },
    {
      type: 'queue_updated',
      queue: [],
      steering: [
        { message_id: 'm2', content: 'mine' },
        { message_id: 'm3', content: 'other' },
      ],
    },
    { type: 'message_accepted', message_id: 'm2', turn_id: 't1', state: 'steered' },
  ]);
  expect(waiting).toMatchObject({ queue: [], items: [], steering: [{ messageId: 'm2' }, { messageId: 'm3', content: 'other' }] });
  const taken = reduce(
    [
      { type: 'turn_steered', turn_id: 't1', message_ids: ['m2', 'm3'] },
      { type: 'queue_updated', queue: [] },
    ],
    waiting,
  );
  expect(taken.steering).toEqual([]);
  expect(taken.items).toMatchObject([
    { messageId: 'm2', content: 'mine', state: 'steered' },
    { messageId: 'm3', content: 'other', state: 'steered' },
  ]);
  const late = reduce([{ type: 'message_accepted', message_id: 'm2', turn_id: 't1', state: 'steered' }], taken);
  expect(late.steering).toEqual([]);
  const over = reduce([{ type: 'queue_updated', queue: [{ message_id: 'm3', content: 'other' }] }, ended('completed')], waiting);
  expect(over).toMatchObject({ steering: [], queue: [{ messageId: 'm3' }] });
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

test('sums what turns cost, and says so of each', () => {
  const usage = { input_tokens: 10, output_tokens: 2, cost_usd: 0.5 };
  const view = reduce([
    started,
    ended('completed', { usage }),
    { ...started, turn_id: 't2' },
    ended('completed', { usage, turn_id: 't2' }),
  ]);
  expect(view.usage).toEqual({ input_tokens: 20, output_tokens: 4, cost_usd: 1 });
  expect(view.items).toMatchObject([{ usage }, { usage }]);
});

test('a preview goes with other arguments, and a call that ended on a changed file is asked about anew', () => {
  const previewed: ServerFrame = { type: 'approval_updated', call_id: 'c1', preview: { kind: 'diff', text: '+x' }, operands: [] };
  const shown = reduce([call('c1'), previewed]);
  expect(callOf(shown)).toMatchObject({ preview: { text: '+x' }, operands: [] });
  expect(callOf(reduce([call('c1')], shown)).preview).toBeDefined();
  expect(callOf(reduce([call('c1', { args_sha256: 'b' })], shown)).preview).toBeUndefined();
  const changed = reduce([{ kind: 'call_finished', callId: 'c1', error: { code: 'APPROVAL_MISMATCH', message: 'changed' } }], shown);
  const again = callOf(reduce([call('c1')], changed));
  expect([again.progress, again.error, again.preview]).toEqual(['waiting', undefined, undefined]);
});

test('a question of a program that is taken back is over', () => {
  const view = reduce([call('p1', { origin: 'proxy' }), call('c1'), { type: 'tool_cancel', call_id: 'p1', reason: 'cancelled' }]);
  expect(view.items).toMatchObject([{ progress: 'cancelled' }, { progress: 'waiting' }]);
});

test('files of a message show how much goes with it, not what', () => {
  const attachments = [
    { path: 'a', lines: '10-11', content: 'x\ny\n' },
    { path: 'p.png', content: 'A'.repeat(4096), media_type: 'image/png' as const },
    { path: 'b' },
  ];
  const view = reduce([{ ...sent, attachments }]);
  expect(view.items).toMatchObject([
    { attachments: [{ path: 'a', lines: '10-11', lineCount: 2 }, { path: 'p.png', imageBytes: 3072 }, { path: 'b' }] },
  ]);
  const history = [{ role: 'user', message_id: 'm1', content: 'x', attachments: [{ path: 'a', content: 'x' }, { path: 1 }, null] }];
  const late = reduce([welcome({ snapshot: { seq: 1, history, open_calls: [], todos: [], queue: [] } })]);
  expect(late.items).toMatchObject([{ attachments: [{ path: 'a', lineCount: 1 }] }]);
});

const said = (from: number, to: number): object[] =>
  Array.from({ length: to - from }, (_, index) => ({ role: 'user', message_id: `u${from + index}`, content: 'x' }));

test('older items are paged in before the first, once, and a long view forgets its oldest', () => {
  const snapshot = { seq: 1, history: said(50, 100), history_cursor: '50', open_calls: [], todos: [], queue: [] };
  const late = reduce([welcome({ snapshot })]);
  expect(late).toMatchObject({ seq: 1, epoch: 'e', historyCursor: '50' });
  const paged = reduce([{ kind: 'history_read', history: said(20, 60), cursor: '20' }], late);
  expect([paged.items.length, paged.items[0], paged.historyCursor]).toMatchObject([80, { messageId: 'u20' }, '20']);
  const notices = Array.from({ length: 1_000 }, () => ({ kind: 'notice', tone: 'info', text: 'x' }) as const);
  const long = reduce(notices, paged);
  expect([long.items.length, long.items[0]?.kind, long.historyCursor]).toEqual([1_000, 'notice', undefined]);
  const all = reduce([{ kind: 'history_read', history: said(0, 100) }], long);
  expect(reduce(notices.slice(0, 3), all).items).toHaveLength(1_100);
});

test('of old calls the view keeps no previews', () => {
  const preview = { kind: 'diff', text: '+x' } as const;
  const done = reduce([
    call('c1', { state: 'ready' }),
    { kind: 'call_previewed', callId: 'c1', preview },
    { kind: 'call_finished', callId: 'c1' },
  ]);
  expect(callOf(done).preview).toEqual(preview);
  expect(callOf(reduce(Array(100).fill({ kind: 'notice', tone: 'info', text: 'x' }), done)).preview).toBeUndefined();
});

test('a snapshot that does not reach back to what is shown stands for it, but for what only this machine knows', () => {
  const shown = reduce([
    welcome(),
    sent,
    accepted,
    started,
    text('a1', 'Hel'),
    { kind: 'notice', tone: 'info', text: 'here' },
    { ...sent, messageId: 'm9' },
  ]);
  const snapshot = { seq: 9, history: said(0, 2), history_cursor: '7', open_calls: [], todos: [], queue: [] };
  const view = reduce([welcome({ seq: 9, snapshot })], { ...shown, turn: undefined });
  expect(view.items.map((item) => (item.kind === 'user' ? item.messageId : item.kind))).toEqual(['notice', 'u0', 'u1']);
  expect(view.historyCursor).toBe('7');
});

test('a thought grows until something follows it, and the next one is another', () => {
  const think = (token: string, turn_id = 't1') => ({ type: 'agent_thought', turn_id, token }) as const;
  const say = { type: 'assistant_message', message_id: 'a1', token: 'Hi', is_final: false } as const;
  const view = reduce([started, think('one '), think('thought'), think('of another turn', 't9'), say, think('two')]);
  expect(view.items).toMatchObject([
    { kind: 'thought', text: 'one thought', done: true },
    { kind: 'assistant', text: 'Hi' },
    { kind: 'thought', text: 'two', done: false },
  ]);
});

test('a message on its way stays in the queue when the servers tell of an older one', () => {
  const mine = { ...sent, messageId: 'm2', content: 'mine' };
  const older = { type: 'queue_updated' as const, queue: [] };
  const accepted = { type: 'message_accepted', message_id: 'm2', turn_id: 't2', state: 'queued', position: 1 } as const;
  const waiting = reduce([started, mine, older]);
  expect(waiting.queue).toMatchObject([{ messageId: 'm2', unconfirmed: true }]);
  expect(reduce([accepted, older], waiting)).toMatchObject({ queue: [], leaving: [{ messageId: 'm2' }] });
});
