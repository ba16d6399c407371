import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { ChaosEventBody } from '../recording/chaos-event.js';
import { call, leaving, Tale, turn } from './__fixtures__/tale.js';
import { digestOf } from './canonical-digest.js';
import { PROMISES } from './index.js';

const tale = (): Tale => new Tale();
const begun = (): Tale => tale().welcome('watcher').welcome('client');
const read = (story: Tale, more: object = {}): Tale => story.settled().welcome('replay/s1', { seq: 9, ...more });
const asked = (id: string, mark: string): Tale => begun().told('watcher', call(id, mark, { state: 'waiting_approval' }));
const resolved = (id: string, outcome: string, more: object = {}) => ({
  ...{ type: 'approval_resolved', seq: 3, call_id: id, outcome, by: 'ada', at_ms: 1, args_sha256: digestOf(leaving('mks1q1_a')), ...more },
});
const decide = (id: string, decision: string) => ({ type: 'hitl_decision', call_id: id, decision });
const probe = (status: number, truth: 'able' | 'unable' | 'unsure') =>
  tale().add({ kind: 'probe', target: 'gateway-1', path: '/ready', status, truth });
const census = (keys: number, queue: number) =>
  ({ kind: 'census', keys, bytes: 1, rss: { g: 1 }, sockets: { g: 1 }, queues: { wake: queue } }) as const;
const exit = (code: number | null, signal: string | null, asked?: 'SIGKILL' | 'SIGTERM' | 'late') =>
  tale().add({ kind: 'process', name: 'gateway-1', pid: 1, what: 'exited', code, signal, asked });
const request = (messages: readonly object[]) =>
  tale().add({ kind: 'model-request', id: 1, dialect: 'chat', body: { model: 'm', messages } });
const use = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'u1', type: 'function', function: { name: 'read_file', arguments: '{}' } }],
};
const toldOf = (mark: string, content: string) => {
  const messages = [
    { role: 'assistant', tool_calls: [{ id: 'u1', function: { name: 'run_command', arguments: JSON.stringify(leaving(mark)) } }] },
    { role: 'tool', tool_call_id: 'u1', content },
  ];
  return { kind: 'model-request', id: 1, dialect: 'chat', body: { model: 'm', messages } } as const;
};
/** Something was begun, its turn was cancelled, and nothing says that it is over. */
const cancelledWhile = (begun: ChaosEventBody): Tale =>
  tale()
    .welcome('watcher')
    .add(begun)
    .said('watcher', { type: 'cancel', turn_id: 't1' })
    .told('watcher', turn('turn_ended', 2, { status: 'cancelled' }))
    .after(3_000)
    .settled();
const result = (content: string, isError = false) => ({
  role: 'tool',
  call_id: 'c1',
  tool_name: 'run_command',
  content,
  is_error: isError,
});
/** The history of a session with one use of a tool. */
const history = (...results: readonly object[]): ChaosEventBody => {
  const calls = [{ call_id: 'c1', tool_name: 'run_command', arguments: JSON.stringify(leaving('mks1q1_a')) }];
  const answer = { items: [{ role: 'assistant', tool_calls: calls }, ...results] };
  return { kind: 'rest', observer: 'rest/ada', method: 'GET', path: '/api/v1/sessions/s1/history?limit=100', status: 200, answer };
};
const readHistory = (...results: readonly object[]): Tale =>
  tale()
    .settled()
    .add(history(...results))
    .effect('mks1q1_a');
const LOSS = { kind: 'store-lost', since: 0, how: 'the end of the file is gone' } as const;
/** One use that became two calls, with a loss between them. */
const twice = (more: object): Tale =>
  begun()
    .told('client', call('c1', 'mks1q1_a'))
    .add(LOSS)
    .told('client', call('c2', 'mks1q1_a', more));
const accepted = { type: 'message_accepted', message_id: 'm1' };
const ackOfResult = { type: 'tool_result_ack', call_id: 'c1', outcome: 'accepted' };
const text = (seq: number, token: string, more: object = {}) => ({
  type: 'assistant_message',
  seq,
  message_id: 'a1',
  token,
  is_final: false,
  ...more,
});
const planned = { type: 'user_message', message_id: 'm1', content: 'word\nplan: [{"text":"one two"}]' };

/** By promise: a run that keeps it, and runs that break it. */
const CASES: Readonly<Record<string, { readonly kept: () => Tale; readonly broken: readonly (() => Tale)[] }>> = {
  'turns-end-once': {
    kept: () => read(begun().told('watcher', turn('turn_started', 1)).told('watcher', turn('turn_ended', 2))),
    broken: [
      () => read(begun().told('watcher', turn('turn_started', 1))),
      () => read(begun().add(LOSS).told('watcher', turn('turn_started', 1))),
      () => begun().told('watcher', turn('turn_ended', 2)).add(LOSS).told('watcher', turn('turn_ended', 3)),
      () =>
        begun()
          .told('watcher', turn('turn_ended', 2))
          .told('watcher', turn('turn_ended', 3, { status: 'failed' })),
    ],
  },
  'sessions-rest': {
    kept: () => read(begun().told('watcher', turn('turn_started', 1))),
    broken: [
      () => read(begun(), { snapshot: { turn: { turn_id: 't1' } } }),
      () => read(begun(), { snapshot: { queue: [{ message_id: 'm2' }] } }),
      () => begun().told('watcher', turn('turn_started', 1)).settled(),
    ],
  },
  'nothing-is-lost': {
    kept: () => read(begun().told('watcher', { type: 'message_accepted', message_id: 'm1' }).told('watcher', turn('turn_ended', 2))),
    broken: [
      () => read(begun().told('watcher', accepted)),
      () => read(begun().told('watcher', accepted).add(LOSS).told('watcher', text(1, 'x'))),
      () =>
        read(
          begun()
            .told('watcher', { type: 'message_accepted', message_id: 'm1' })
            .told('watcher', turn('turn_ended', 2))
            .told('watcher', turn('turn_ended', 4, { turn_id: 't2' })),
        ),
    ],
  },
  'losses-are-told': {
    kept: () =>
      begun()
        .told('watcher', turn('turn_started', 100))
        .add({ kind: 'store-lost', since: 0, how: 'FLUSHALL' })
        .welcome('watcher', { epoch: 'e2' }),
    broken: [
      () =>
        begun()
          .told('watcher', turn('turn_started', 100))
          .add({ kind: 'store-lost', since: 0, how: 'FLUSHALL' })
          .said('client', { type: 'hello' }, 2)
          .welcome('client', { seq: 3 }, 2),
      () => begun().welcome('watcher', { epoch: 'e2' }),
      () =>
        begun()
          .add({ kind: 'store-lost', since: 0, how: 'FLUSHALL' })
          .add({ kind: 'socket', observer: 'client', connection: 1, what: 'closed', code: 1000 }),
      () =>
        begun()
          .add({ kind: 'store-lost', since: 0, how: 'FLUSHALL' })
          .welcome('client', { epoch: 'e2' }, 2)
          .after(20_000)
          .settled()
          .welcome('replay/s1', { epoch: 'e2' }),
    ],
  },
  'log-in-order': {
    kept: () =>
      begun()
        .told('watcher', turn('turn_started', 1))
        .told('watcher', text(4, 'x', { prev_seq: 1 })),
    broken: [
      () => begun().told('watcher', turn('turn_started', 2)),
      () => begun().told('watcher', turn('turn_started', 1)).told('watcher', turn('turn_started', 1)),
      () => tale().told('watcher', turn('turn_started', 1)),
      () => begun().said('watcher', { type: 'hello', resume: { epoch: 'e1', seq: 4 } }, 2),
    ],
  },
  'log-agrees': {
    kept: () => begun().told('watcher', turn('turn_started', 1)).told('client', turn('turn_started', 1)),
    broken: [
      () =>
        begun()
          .told('watcher', turn('turn_started', 1))
          .told('client', turn('turn_started', 1, { turn_id: 't2' })),
    ],
  },
  'text-is-whole': {
    kept: () =>
      read(begun().said('watcher', planned))
        .told('replay/s1', text(10, 'one '))
        .told('replay/s1', text(11, 'two', { is_final: true, content: 'one two' })),
    broken: [
      () => read(begun().said('watcher', planned)).told('replay/s1', text(10, 'one two!', { is_final: true, content: 'one two!' })),
      () => read(begun().said('watcher', planned)).told('replay/s1', text(10, 'two', { is_final: true, content: 'one two' })),
    ],
  },
  'effects-at-most-once': {
    kept: () => begun().told('client', call('c1', 'mks1q1_a')).run('c1', leaving('mks1q1_a')).effect('mks1q1_a'),
    broken: [
      () => begun().told('client', call('c1', 'mks1q1_a')).run('c1', leaving('mks1q1_a')).run('c1', leaving('mks1q1_a')),
      () => begun().run('c1', leaving('mks1q1_a')).effect('mks1q1_a').effect('mks1q1_a'),
      () => begun().effect('mks1q1_a'),
    ],
  },
  'results-are-true': {
    kept: () =>
      begun()
        .run('c1', leaving('mks1q1_a'))
        .said('client', { type: 'tool_result', call_id: 'c1', result: { exit_code: 0 } })
        .effect('mks1q1_a')
        .settled(),
    broken: [
      () =>
        begun()
          .run('c1', leaving('mks1q1_a'))
          .said('client', { type: 'tool_result', call_id: 'c1', result: { exit_code: 0 } })
          .settled(),
      () =>
        begun()
          .run('c1', leaving('mks1q1_a'))
          .said('client', { type: 'tool_result', call_id: 'c1', error: { code: 'APPROVAL_MISMATCH' } })
          .effect('mks1q1_a')
          .settled(),
    ],
  },
  'one-call-per-use': {
    kept: () => begun().told('client', call('c1', 'mks1q1_a')).told('watcher', call('c1', 'mks1q1_a')),
    broken: [
      () =>
        begun()
          .told('client', call('c1', 'mks1q1_a'))
          .told('client', call('c2', 'mks1q1_a', { seq: 5 })),
      () => twice({ seq: 5 }).told('client', text(6, 'x')),
    ],
  },
  'one-result': {
    kept: () =>
      begun()
        .told('client', { type: 'tool_result_ack', call_id: 'c1', outcome: 'accepted' })
        .told('client', { type: 'tool_result_ack', call_id: 'c1', outcome: 'duplicate' }),
    broken: [
      () => begun().told('client', ackOfResult).told('client', ackOfResult),
      () => begun().told('client', ackOfResult).add(LOSS).told('client', ackOfResult).told('client', text(1, 'x')),
    ],
  },
  'only-decisions-decide': {
    kept: () =>
      asked('c1', 'mks1q1_a')
        .said('watcher', decide('c1', 'approve'))
        .told('watcher', resolved('c1', 'approved'))
        .run('c1', leaving('mks1q1_a')),
    broken: [
      () => asked('c1', 'mks1q1_a').told('watcher', resolved('c1', 'approved')),
      () => asked('c1', 'mks1q1_a').said('watcher', decide('c1', 'reject')).told('watcher', resolved('c1', 'approved')),
      () => asked('c1', 'mks1q1_a').said('spy', decide('c1', 'approve')).told('watcher', resolved('c1', 'approved')),
      () =>
        asked('c1', 'mks1q1_a')
          .said('watcher', { ...decide('c1', 'approve'), args_sha256: 'of other arguments' })
          .told('watcher', resolved('c1', 'approved')),
      () => asked('c1', 'mks1q1_a').run('c1', leaving('mks1q1_a')),
      () => begun().told('client', call('c1', 'mks1q1_a')).run('c1', leaving('mks1q1_a')),
      () =>
        asked('c1', 'mks1q1_a')
          .said('watcher', decide('c1', 'approve'))
          .said('watcher', decide('c1', 'reject'))
          .told('watcher', resolved('c1', 'approved'))
          .told('watcher', resolved('c1', 'rejected', { seq: 4, at_ms: 2 })),
    ],
  },
  'model-is-told': {
    kept: () => asked('c1', 'mks1q1_r').told('watcher', resolved('c1', 'rejected')).add(toldOf('mks1q1_r', 'The user rejected this call.')),
    broken: [
      () => asked('c1', 'mks1q1_r').told('watcher', resolved('c1', 'rejected')).add(toldOf('mks1q1_r', 'It may have run.')),
      () =>
        asked('c1', 'mks1q1_e')
          .told('watcher', resolved('c1', 'edited'))
          .told('watcher', { type: 'tool_status', call_id: 'c1', status: 'done' })
          .add(toldOf('mks1q1_e', 'did mks1q1_e')),
    ],
  },
  'runs-as-decided': {
    kept: () =>
      asked('c1', 'mks1q1_e')
        .told('client', resolved('c1', 'edited', { args_sha256: digestOf(leaving('mks1q1_ex')) }))
        .run('c1', leaving('mks1q1_ex'))
        .effect('mks1q1_ex'),
    broken: [
      () =>
        asked('c1', 'mks1q1_e')
          .told('client', resolved('c1', 'edited', { args_sha256: digestOf(leaving('mks1q1_ex')) }))
          .run('c1', leaving('mks1q1_e')),
      () => asked('c1', 'mks1q1_e').effect('mks1q1_e'),
    ],
  },
  'upstream-accepts': {
    kept: () => request([{ role: 'user', content: 'x' }, use, { role: 'tool', tool_call_id: 'u1', content: 'y' }]),
    broken: [
      () => request([{ role: 'user', content: 'x' }, use]),
      () =>
        request([
          { role: 'user', content: 'x' },
          use,
          { role: 'tool', tool_call_id: 'u1', content: 'y' },
          { role: 'tool', tool_call_id: 'u1', content: 'y' },
        ]),
    ],
  },
  'history-is-true': {
    kept: () => readHistory(result('did mks1q1_a')),
    broken: [
      () => readHistory(),
      () => readHistory(result('did mks1q1_a'), result('did mks1q1_a')),
      () => readHistory(result('did mks1q2_a')),
      () => readHistory(result('Error [DENIED_BY_USER]: no', true)),
      () =>
        tale()
          .settled()
          .add(history(result('did mks1q1_a'))),
    ],
  },
  'cancel-in-time': {
    kept: () =>
      begun()
        .said('watcher', { type: 'cancel', turn_id: 't1' })
        .after(900)
        .told('watcher', turn('turn_ended', 2, { status: 'cancelled' })),
    broken: [
      () =>
        begun()
          .said('watcher', { type: 'cancel', turn_id: 't1' })
          .after(3_000)
          .told('watcher', turn('turn_ended', 2, { status: 'cancelled' })),
      () => begun().said('watcher', { type: 'cancel', turn_id: 't1' }),
      () => cancelledWhile({ kind: 'model-request', id: 1, dialect: 'chat', session: 's1', body: { messages: [] } }),
      () => cancelledWhile({ kind: 'run', observer: 'client', session: 's1', callId: 'c1', tool: 'run_command', what: 'begin' }),
    ],
  },
  'requests-are-answered': {
    kept: () => begun().said('watcher', planned).told('watcher', { type: 'message_accepted', message_id: 'm1' }).after(9_000).settled(),
    broken: [
      () => begun().said('watcher', planned).after(9_000).settled(),
      () => tale().said('watcher', { type: 'hello' }).after(9_000).settled(),
      () =>
        begun()
          .said('watcher', planned)
          .told('watcher', { type: 'message_accepted', message_id: 'm1' })
          .told('watcher', { type: 'message_accepted', message_id: 'm1' }),
    ],
  },
  'owners-apart': {
    kept: () => begun().told('client', call('c1', 'mks1q1_a')).told('spy', { type: 'error', code: 'UNKNOWN_CALL', reply_to: 'c1' }),
    broken: [
      () => begun().told('spy', { type: 'assistant_message', token: 'word-of-ada' }),
      () => begun().told('client', call('c1', 'mks1q1_a')).told('spy', { type: 'tool_result_ack', call_id: 'c1', outcome: 'accepted' }),
      () => tale().add({ kind: 'rest', observer: 'rest/ada', method: 'GET', path: '/x', status: 200, answer: { items: ['word-of-bob'] } }),
    ],
  },
  'secrets-stay': {
    kept: () => begun().add({ kind: 'log', process: 'gateway', line: '{"event":"turn.ended"}' }),
    broken: [
      () => tale().add({ kind: 'log', process: 'gateway', line: 'refused tok.ada' }),
      () => tale().add({ kind: 'log', process: 'gateway', line: 'she said word-of-ada' }),
      () => begun().told('watcher', { type: 'error', message: 'tok.ada is no token' }),
    ],
  },
  'ready-is-true': { kept: () => probe(200, 'able'), broken: [() => probe(503, 'able'), () => probe(200, 'unable')] },
  'services-live': {
    kept: () => exit(null, 'SIGKILL', 'SIGKILL'),
    broken: [() => exit(1, null), () => exit(0, null), () => exit(null, 'SIGABRT', 'SIGTERM'), () => exit(null, 'SIGKILL', 'late')],
  },
  'back-to-base': {
    kept: () => tale().add(census(10, 0), census(12, 0)),
    broken: [
      () => tale().add(census(10, 0), census(500, 0)),
      () => tale().add(census(10, 0), census(10, 50)),
      () => tale().add(census(10, 0), { ...census(11, 0), sessionKeys: ['cl:{s}:meta'] }),
    ],
  },
};

test('a cancel is given longer by what the machine was late, also after its first second, and no more than 15 s', () => {
  const slow = (...lateMs: readonly number[]): number => {
    const waiting = begun().said('watcher', { type: 'cancel', turn_id: 't1' });
    for (const byMs of lateMs) waiting.after(byMs).add({ kind: 'late', byMs });
    return waiting
      .after(1_900)
      .told('watcher', turn('turn_ended', 2, { status: 'cancelled' }))
      .broken('cancel-in-time').length;
  };
  expect([slow(), slow(100), slow(400), slow(400, 400, 400, 400, 400, 2_000), slow(9_000, 9_000)]).toEqual([1, 1, 0, 0, 1]);
});

test('what processes wait for a processor is added to the time that a cancel and an answer may take', () => {
  const queued = (told: Tale, ...byMs: readonly number[]): Tale =>
    told.after(300).add(...byMs.map((ms) => ({ kind: 'queued', byMs: ms }) as const));
  const cancelled = (...byMs: readonly number[]): number =>
    queued(begun().said('watcher', { type: 'cancel', turn_id: 't1' }), ...byMs)
      .after(2_000)
      .told('watcher', turn('turn_ended', 2, { status: 'cancelled' }))
      .broken('cancel-in-time').length;
  const unanswered = (...byMs: readonly number[]): number =>
    queued(begun().said('watcher', planned), ...byMs)
      .after(5_500)
      .settled()
      .broken('requests-are-answered').length;
  expect([cancelled(), cancelled(700), cancelled(700, 700)]).toEqual([1, 1, 0]);
  expect([unanswered(), unanswered(400), unanswered(400, 700)]).toEqual([1, 1, 0]);
});

test('a run that a cancel should have ended is over when its client dies', () => {
  const client = { observer: 'client-1/s1', session: 's1', callId: 'c1', tool: 'run_command' } as const;
  const cancelled = (...deaths: readonly ChaosEventBody[]): number =>
    tale()
      .welcome('watcher')
      .add({ kind: 'run', ...client, what: 'begin' }, ...deaths)
      .after(20_000)
      .said('watcher', { type: 'cancel', turn_id: 't1' })
      .told('watcher', turn('turn_ended', 2, { status: 'cancelled' }))
      .after(3_000)
      .settled()
      .broken('cancel-in-time').length;
  const exited = { kind: 'process', pid: 1, what: 'exited', code: null, signal: 'SIGKILL' } as const;
  expect([cancelled(), cancelled({ ...exited, name: 'client-2' }), cancelled({ ...exited, name: 'client-1' })]).toEqual([1, 1, 0]);
});

test('a store that fails over by itself breaks what is to come in time as a fault would', () => {
  const late = (...ms: readonly [before: number, after: number]): readonly number[] =>
    (['cancel-in-time', 'requests-are-answered'] as const).map(
      (promise) =>
        begun()
          .add({ ...LOSS, how: 'redis-b took over' })
          .after(ms[0])
          .said('watcher', promise === 'cancel-in-time' ? { type: 'cancel', turn_id: 't1' } : planned)
          .after(ms[1])
          .add({ ...LOSS, how: 'redis-a took over' })
          .after(9_000)
          .settled()
          .broken(promise).length,
    );
  expect([late(9_000, 9_000), late(11_000, 2_500), late(11_000, 9_000)]).toEqual([
    [0, 0],
    [0, 0],
    [1, 1],
  ]);
});

test('a call that is reported as refused may have been run by another call of its mark, or later', () => {
  const refused = (callId: string): Tale =>
    begun()
      .run(callId, leaving('mks1q1_a'))
      .said('client', { type: 'tool_result', call_id: 'c1', error: { code: 'APPROVAL_MISMATCH' } });
  const judged = (told: Tale): number => told.effect('mks1q1_a').settled().broken('results-are-true').length;
  const args = leaving('mks1q1_a');
  expect([refused('c1'), refused('c1').run('c1', args), refused('c1').run('c2', args)].map(judged)).toEqual([1, 0, 0]);
});

test('time to be told of a loss begins when all is well again, and is longer on a late machine', () => {
  const untold = (...after: readonly (ChaosEventBody | number)[]): number => {
    const lost = begun().add(LOSS).welcome('watcher', { epoch: 'e2' });
    for (const event of after) typeof event === 'number' ? lost.after(event) : lost.add(event);
    return lost.settled().welcome('replay/s1', { epoch: 'e2' }).broken('losses-are-told').length;
  };
  const fault = (phase: 'begin' | 'end', name = 'lose-line') => ({ kind: 'fault', id: 1, name, target: 'client', phase }) as const;
  const happened = (name: string, what: 'ready' | 'thawed' | 'exited') => ({ kind: 'process', name, pid: 1, what }) as const;
  expect(untold(6_000)).toBe(1);
  expect(untold(fault('begin'), 3_000, fault('end'), 4_000)).toBe(0);
  expect(untold(fault('begin'), 3_000, fault('end'), 6_000)).toBe(1);
  expect(untold(fault('begin', 'upstream-slow'), 3_000, fault('end', 'upstream-slow'), 4_000)).toBe(1);
  expect(untold(3_000, happened('gateway-1', 'ready'), 4_000)).toBe(0);
  expect(untold(3_000, happened('redis', 'thawed'), 4_000)).toBe(0);
  expect(untold(3_000, { kind: 'late', byMs: 2_000 }, 3_000)).toBe(0);
});

test('a client that died need not be told of a loss', () => {
  const dead = (name: string): number =>
    tale()
      .observer('client-1/s1', 'executor')
      .welcome('watcher')
      .welcome('client-1/s1')
      .add({ kind: 'process', name, pid: 1, what: 'exited', code: null, signal: 'SIGKILL' }, LOSS)
      .welcome('watcher', { epoch: 'e2' })
      .after(20_000)
      .settled()
      .welcome('replay/s1', { epoch: 'e2' })
      .broken('losses-are-told').length;
  expect([dead('client-1'), dead('client-2')]).toEqual([0, 1]);
});

test('a Redis that takes its time to end, and a service that was given a port which is not free, break nothing', () => {
  const ended = { kind: 'process', pid: 1, what: 'exited' } as const;
  expect(
    tale()
      .add({ ...ended, name: 'redis', code: null, signal: 'SIGKILL', asked: 'late' })
      .broken('services-live'),
  ).toEqual([]);
  expect(
    tale()
      .add({ ...ended, name: 'gateway-1', code: 1, signal: null, asked: 'port-taken' })
      .broken('services-live'),
  ).toEqual([]);
});

test('a call of a task that comes before the snapshot of another life is not of the life before', () => {
  expect(twice({ seq: undefined }).welcome('client', { epoch: 'e2' }).broken('one-call-per-use')).toEqual([]);
});

test('a client that was killed with its third connection, and began anew with its first, is told of a loss by that one', () => {
  const killed = (next: readonly ChaosEventBody[]): Tale =>
    begun()
      .welcome('client', {}, 3)
      .add({ kind: 'store-lost', since: 0, how: 'FLUSHALL' })
      .add(...next)
      .welcome('watcher', { epoch: 'e2' }, 2)
      .after(20_000)
      .settled()
      .welcome('replay/s1', { epoch: 'e2' });
  const untold = (told: Tale): number => told.broken('losses-are-told').filter(({ text }) => text.startsWith('client#3')).length;
  const socket = { kind: 'socket', observer: 'client', connection: 1 } as const;
  expect([killed([{ ...socket, what: 'open' }]), killed([{ ...socket, what: 'closed', code: 1006 }])].map(untold)).toEqual([0, 1]);
});

test('a call that somebody else approved before it was edited may run as it was', () => {
  const told = asked('c1', 'mks1q1_e').told('client', resolved('c1', 'approved', { args_sha256: digestOf(leaving('mks1q1_e')) }));
  expect(told.run('c1', leaving('mks1q1_e')).effect('mks1q1_e').broken('runs-as-decided')).toEqual([]);
});

test('a call that was approved by REST, and run, before a store that lost that asked again and it was edited, may run as it was', () => {
  const answer = resolved('c1', 'approved', { args_sha256: digestOf(leaving('mks1q1_e')) });
  const decision = { method: 'POST', path: '/api/v1/sessions/s1/decisions', request: { call_id: 'c1', decision: 'approve' } };
  const run = asked('c1', 'mks1q1_e')
    .add({ kind: 'rest', observer: 'rest/ada', ...decision, status: 200, answer })
    .run('c1', leaving('mks1q1_e'))
    .effect('mks1q1_e');
  const edited = resolved('c1', 'edited', { args_sha256: digestOf(leaving('mks1q1_ex')) });
  expect(run.told('client', edited).broken('runs-as-decided')).toEqual([]);
});

test('what the model was told of a use before anybody heard of the call is not about its question', () => {
  const lost = begun().add(toldOf('mks1q1_r', 'It was cancelled.'));
  const again = lost.told('watcher', call('c1', 'mks1q1_r', { state: 'waiting_approval' })).told('watcher', resolved('c1', 'rejected'));
  expect(again.broken('model-is-told')).toEqual([]);
});

test('what the model was told of an approval that the store lost is not about the rejection after it', () => {
  const done = asked('c1', 'mks1q1_r').told('watcher', resolved('c1', 'approved')).add(toldOf('mks1q1_r', 'It is done.'));
  const again = done.add({ kind: 'store-lost', since: 0, how: 'a replica that lagged was promoted' }).welcome('watcher', { epoch: 'e2' });
  const rejected = again.told('watcher', resolved('c1', 'rejected')).welcome('replay/s1', { epoch: 'e2' });
  expect(rejected.broken('model-is-told')).toEqual([]);
  expect(rejected.add(toldOf('mks1q1_r', 'It is done.')).broken('model-is-told')).toHaveLength(1);
});

test('every promise has runs that keep and break it', () => {
  expect(Object.keys(CASES).sort()).toEqual(PROMISES.map(({ name }) => name).sort());
});

test.each(Object.entries(CASES))(verifies('R3:oracle', '%s: what keeps it passes, what breaks it is found'), (name, { kept, broken }) => {
  expect(kept().broken(name)).toEqual([]);
  for (const story of broken) expect(story().broken(name)).not.toEqual([]);
});
