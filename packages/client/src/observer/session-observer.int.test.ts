import { afterEach, beforeEach, expect, test } from 'vitest';
import { argsDigest } from '@codelab/tools';
import { eventually, FakeClock, startWsPeer, verifies, type PeerConnection, type WsPeer } from '@codelab/testkit';
import { askedCall, letIn, QUICK, resolved, welcome } from '../../test/support.js';
import { openWebSocket } from '../connection/web-socket.js';
import { SessionObserver, type ObserverOptions, type SessionRecords } from './index.js';

let peer: WsPeer;
const cleanups: (() => unknown)[] = [];

beforeEach(async () => {
  peer = await startWsPeer();
  cleanups.push(() => peer.close());
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const observe = (options: Partial<ObserverOptions> = {}): SessionObserver => {
  const observer = new SessionObserver({
    url: peer.url,
    sessionId: 's1',
    token: 'token-1',
    openSocket: openWebSocket,
    backoff: QUICK,
    ...options,
  });
  cleanups.unshift(() => observer.close());
  return observer;
};

const connect = async (observer: SessionObserver, fields: object = {}): Promise<PeerConnection> => {
  const connecting = observer.connect();
  const { connection, hello } = await letIn(peer, { executor: 'other', ...fields });
  expect(hello).toMatchObject({ client_id: observer.clientId, tools: [] });
  await connecting;
  return connection;
};

const call = (observer: SessionObserver, callId: string) =>
  observer.view().items.find((item) => item.kind === 'call' && item.callId === callId);

test(
  verifies('H2:observer', 'a decision of an observer is bound to the digest that its view shows, and to none that was shown before'),
  async () => {
    const observer = observe();
    const connection = await connect(observer);
    connection.send(askedCall(1, 'c1'));
    await eventually('the view', () => call(observer, 'c1'));
    await expect(observer.decide('c1', { decision: 'approve', argsSha256: 'f'.repeat(64) })).rejects.toMatchObject({
      code: 'DIGEST_MISMATCH',
      unsent: true,
    });
    await expect(observer.decide('nobody', { decision: 'approve' })).rejects.toMatchObject({ code: 'UNKNOWN_CALL' });
    const decided = observer.decide('c1', { decision: 'edit', modifiedArgs: { path: 'b' }, feedback: 'rather b' });
    const frame = await connection.next('hitl_decision');
    expect(frame).toMatchObject({
      call_id: 'c1',
      decision: 'edit',
      modified_args: { path: 'b' },
      feedback: 'rather b',
      args_sha256: argsDigest({ path: 'c1.txt', content: 'x' }),
    });
    connection.send(resolved(2, 'c1', { path: 'b' }, { outcome: 'edited', args: { path: 'b' } }));
    await decided;
    expect(call(observer, 'c1')).toMatchObject({ progress: 'ready', args: '{"path":"b"}' });
  },
);

test(verifies('G2:observer', 'what an observer asked is asked again on each new connection until it is answered'), async () => {
  const observer = observe();
  const connection = await connect(observer);
  const sent = observer.send({ content: 'hello' });
  const first = await connection.next('user_message');
  expect(observer.view().items).toMatchObject([{ kind: 'user', content: 'hello', state: 'sent' }]);
  connection.terminate();
  const again = await letIn(peer, { executor: 'other' });
  expect(again.hello).toMatchObject({ resume: { epoch: 'e1', seq: 0 } });
  expect(again.hello['resume']).not.toHaveProperty('frame'); // it was told none
  expect(await again.connection.next('user_message')).toEqual(first);
  again.connection.send({ type: 'message_accepted', message_id: first['message_id'], turn_id: 't1', state: 'started' });
  await sent;
  expect(observer.view().items).toMatchObject([{ kind: 'user', state: 'accepted' }]);
});

test('a message that can not be sent is refused in the view and to its sender', async () => {
  const observer = observe();
  await connect(observer);
  await expect(observer.send({ content: 'x'.repeat(10_001) })).rejects.toMatchObject({ unsent: true });
  expect(observer.view().items).toMatchObject([
    { kind: 'user', state: 'refused' },
    { kind: 'notice', tone: 'error' },
  ]);
});

test('the view is the same value until something changes, and subscribers hear each change', async () => {
  const seen: number[] = [];
  const observer = observe({ onView: ({ seq }) => seen.push(seq) });
  const connection = await connect(observer);
  let heard = 0;
  const stop = observer.subscribe(() => (heard += 1));
  const before = observer.view();
  expect(observer.view()).toBe(before);
  connection.send({ type: 'turn_started', seq: 1, turn_id: 't1', message_ids: [], model: 'm' });
  await eventually('the view', () => observer.view().turn);
  expect(heard).toBeGreaterThan(0);
  stop();
  connection.send({
    type: 'turn_ended',
    seq: 2,
    turn_id: 't1',
    message_ids: [],
    model: 'm',
    status: 'completed',
    usage: { input_tokens: 1, output_tokens: 1 },
  });
  const heardBefore = heard;
  await eventually('the view', () => seen.at(-1) === 2);
  expect(heard).toBe(heardBefore);
});

test('messages of other windows get their text, and older parts of the conversation come on demand', async () => {
  const asked: object[] = [];
  const records: SessionRecords = {
    history: (id, page) => {
      asked.push({ id, ...page });
      const isOlder = page?.cursor !== undefined;
      const item = isOlder
        ? { role: 'user', message_id: 'm0', content: 'long ago' }
        : { role: 'user', message_id: 'm1', content: 'from elsewhere' };
      return Promise.resolve({ items: [item] });
    },
    show: () => Promise.resolve({ agent: 'coder', mode: 'medium', model: 'offline' }),
    images: () => Promise.resolve([]),
    change: (id, choice) => Promise.resolve(void asked.push({ id, ...choice })),
  };
  const observer = observe({ records });
  const snapshot = { seq: 4, history: [], open_calls: [], todos: [], queue: [], history_cursor: '40' };
  const connection = await connect(observer, { recovered: false, seq: 4, snapshot });
  await eventually('the view', () => observer.view().mode);
  connection.send({ type: 'turn_started', seq: 5, turn_id: 't1', message_ids: ['m1'], model: 'm' });
  await eventually('the view', () => observer.view().items.some((item) => item.kind === 'user' && item.content === 'from elsewhere'));
  await Promise.all([observer.loadOlder(), observer.loadOlder()]);
  expect(observer.view().items[0]).toMatchObject({ content: 'long ago' });
  expect(observer.view().historyCursor).toBeUndefined();
  await observer.loadOlder();
  await observer.choose({ mode: 'plan' });
  expect(observer.view().mode).toBe('plan');
  expect(asked).toEqual([
    { id: 's1', limit: 20 },
    { id: 's1', cursor: '40', limit: 100 },
    { id: 's1', mode: 'plan' },
  ]);
});

test('a connection that is over for good says why, and fails what waits', async () => {
  const observer = observe();
  const connection = await connect(observer);
  const sent = observer.send({ content: 'hello' });
  await connection.next('user_message');
  connection.close(4501, 'not yours');
  await expect(sent).rejects.toMatchObject({ name: 'ConnectionClosedError' });
  expect(observer.state).toMatchObject({ kind: 'closed', reason: { kind: 'forbidden' } });
  expect(observer.view().link).toBe('closed');
});

test('a snapshot of another epoch takes the place of what was there', async () => {
  const observer = observe();
  const connection = await connect(observer);
  connection.send({ type: 'turn_started', seq: 1, turn_id: 't1', message_ids: [], model: 'm' });
  await eventually('the view', () => observer.view().turn);
  const snapshot = { seq: 1, history: [], open_calls: [], todos: [], queue: [] };
  connection.send(welcome({ epoch: 'e2', seq: 1, recovered: false, snapshot }));
  await eventually('the view', () => observer.view().epoch === 'e2');
  expect(observer.view().turn).toBeUndefined();
});

test(verifies('H2:mode-anew', 'an observer that chose a mode says the one that it has heard of last when it comes back'), async () => {
  const observer = observe({ mode: 'strict' });
  const connection = await connect(observer);
  connection.send({ type: 'mode_switched', seq: 1, mode: 'plan' });
  connection.terminate();
  expect((await letIn(peer, { seq: 1 })).hello['mode']).toBe('plan');
});

test('an observer stays where it is when the log begins anew: it has nothing to tell', async () => {
  const clock = new FakeClock();
  const observer = observe({ clock });
  const connection = await connect(observer);
  const snapshot = { seq: 0, history: [], open_calls: [], todos: [], queue: [] };
  connection.send(welcome({ epoch: 'e2', recovered: false, snapshot }));
  await eventually('the view', () => observer.view().epoch === 'e2');
  clock.advanceSync(2_000);
  expect(observer.state.kind).toBe('live');
  expect(peer.connections).toHaveLength(1);
});
