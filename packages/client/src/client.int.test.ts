import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, startWsPeer, verifies, type WsPeer } from '@codelab/testkit';
import { acknowledgeResult, letIn, makeClient, makeFolder, ScriptedExecutor, toolCall, welcome, type TestClient } from '../test/support.js';
import type { ClientOptions } from './client-options.js';
import { ConnectionClosedError } from './client-errors.js';

/** A snapshot of a session with nothing in it. */
const EMPTY = { seq: 0, history: [], open_calls: [], todos: [], queue: [] };

let peer: WsPeer;
let folder: string;
const cleanups: (() => Promise<unknown>)[] = [];

const start = (options: Partial<ClientOptions> & { executor?: ScriptedExecutor } = {}): TestClient => {
  const made = makeClient(peer, folder, options);
  cleanups.unshift(() => made.client.close());
  return made;
};

beforeEach(async () => {
  peer = await startWsPeer();
  cleanups.push(() => peer.close());
  folder = await makeFolder(cleanups);
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

test('a client says who it is, takes the name of its session, runs a call and sends the result', async () => {
  const { client, executor, states } = start();
  const connecting = client.connect();
  const { connection, hello } = await letIn(peer, { session_id: 'fresh-1' });
  await connecting;
  expect(connection.path).toBe('/ws/new');
  expect(connection.headers.authorization).toBe('Bearer token-1');
  expect(hello['tools']).toContain('write_file');
  expect(hello['resume']).toBeUndefined();
  expect(client.sessionId).toBe('fresh-1');
  connection.send(toolCall(1, 'c1'));
  const result = await acknowledgeResult(connection, 'c1');
  expect(result).toMatchObject({ call_id: 'c1', fence: 1, result: { success: true } });
  expect(executor.runs).toHaveLength(1);
  expect(connection.received.filter(({ type }) => type === 'tool_ack').map((frame) => frame['state'])).toEqual(['received', 'started']);
  expect(states.map(({ kind }) => kind)).toEqual(['connecting', 'authenticating', 'replaying', 'live']);
});

test(verifies('G2:resend', 'a message without an answer is sent again after a reconnect, with the same id'), async () => {
  const { client } = start();
  const connecting = client.connect();
  const { connection } = await letIn(peer);
  await connecting;
  const accepted = client.sendMessage('hello');
  const first = await connection.next('user_message');
  connection.terminate();
  const again = await letIn(peer);
  const second = await again.connection.next('user_message');
  expect(second).toEqual(first);
  expect(again.connection.path).toBe('/ws/s1');
  again.connection.send({ type: 'message_accepted', message_id: second['message_id'], turn_id: 't1', state: 'started' });
  await expect(accepted).resolves.toMatchObject({ turn_id: 't1' });
});

test('what may have been answered by frames that a snapshot skipped is asked again, and a refusal then means that it was done', async () => {
  const { client } = start();
  const connecting = client.connect();
  const { connection } = await letIn(peer);
  await connecting;
  const cancelled = client.cancel('t1');
  const removed = client.removeQueued('m1');
  await connection.next('queue_remove');
  connection.send(welcome({ recovered: false, seq: 9, snapshot: { seq: 9, history: [], open_calls: [], todos: [], queue: [] } }));
  await connection.next('queue_remove');
  connection.send({ type: 'error', code: 'UNKNOWN_TURN', message: 'm', retryable: false, reply_to: 't1' });
  connection.send({ type: 'error', code: 'UNKNOWN_MESSAGE', message: 'm', retryable: false, reply_to: 'm1' });
  await expect(cancelled).resolves.toEqual({ turnId: 't1' });
  await removed;
  const unknown = client.cancel('t2');
  await connection.next((frame) => frame['turn_id'] === 't2');
  connection.send({ type: 'error', code: 'UNKNOWN_TURN', message: 'm', retryable: false, reply_to: 't2' });
  await expect(unknown).rejects.toMatchObject({ code: 'UNKNOWN_TURN' });
});

test.each([
  ['coder', undefined],
  ['ask', 'ask'],
  ['gone', undefined],
])(
  verifies('H1:hello-agent', 'a client that began with %s says %s when it comes back: another one may have narrowed the session'),
  async (agent, again) => {
    const { client } = start({ agent });
    const connecting = client.connect();
    const { connection, hello } = await letIn(peer);
    await connecting;
    expect(hello['agent']).toBe(agent);
    connection.terminate();
    expect((await letIn(peer)).hello['agent']).toBe(again);
  },
);

test(
  verifies('G3:anew-introduced', 'a client tells a log that begins anew what it did and what it can; what waits is asked again there'),
  async () => {
    const { client, executor } = start();
    const connecting = client.connect();
    const { connection } = await letIn(peer);
    await connecting;
    connection.send(toolCall(1, 'c1'));
    await acknowledgeResult(connection, 'c1');
    const accepted = client.sendMessage('hello');
    const first = await connection.next('user_message');
    connection.send(welcome({ recovered: false, epoch: 'e2', executor: 'none', snapshot: EMPTY }));
    const again = await letIn(peer, { epoch: 'e2' });
    expect(again.hello).toMatchObject({ resume: { epoch: 'e2', seq: 0, calls: [{ call_id: 'c1', state: 'done' }] } });
    expect(again.hello['tools']).toEqual([...executor.tools]);
    expect(await again.connection.next('user_message')).toEqual(first);
    again.connection.send({ type: 'message_accepted', message_id: first['message_id'], turn_id: 't1', state: 'started' });
    await expect(accepted).resolves.toMatchObject({ turn_id: 't1' });
  },
);

test(
  verifies('H2:mode-anew', 'a client that chose a mode says the one that it has heard of last when it comes back: the session may be gone'),
  async () => {
    const { client } = start({ mode: 'strict' });
    const connecting = client.connect();
    const first = await letIn(peer);
    await connecting;
    expect(first.hello['mode']).toBe('strict');
    first.connection.terminate();
    const second = await letIn(peer, { recovered: false, snapshot: { ...EMPTY, mode: 'plan' } });
    expect(second.hello['mode']).toBe('strict');
    second.connection.terminate();
    const third = await letIn(peer);
    expect(third.hello['mode']).toBe('plan');
    third.connection.send({ type: 'mode_switched', seq: 1, mode: 'medium' });
    third.connection.terminate();
    expect((await letIn(peer, { seq: 1 })).hello['mode']).toBe('medium');
  },
);

test(verifies('H2:mode-anew', 'a client that chose no mode never says one: its token may not be allowed to'), async () => {
  const { client } = start();
  const connecting = client.connect();
  const { connection, hello } = await letIn(peer, { recovered: false, snapshot: { ...EMPTY, mode: 'plan' } });
  await connecting;
  expect(hello['mode']).toBeUndefined();
  connection.terminate();
  expect((await letIn(peer)).hello['mode']).toBeUndefined();
});

test('requests are answered by the frames that follow from them', async () => {
  const { client } = start();
  const connecting = client.connect();
  const { connection } = await letIn(peer);
  await connecting;
  connection.send({ type: 'turn_started', seq: 1, turn_id: 't1', message_ids: [], model: 'm' });
  const switched = client.switchAgent('ask');
  expect(await connection.next('switch_agent')).toMatchObject({ agent: 'ask' });
  connection.send({ type: 'agent_switched', seq: 2, agent: 'ask' });
  await switched;
  const cancelled = client.cancel(undefined, { queue: true });
  expect(await connection.next('cancel')).toEqual({ type: 'cancel', turn_id: 't1', queue: true });
  const end = {
    type: 'turn_ended',
    seq: 3,
    turn_id: 't1',
    message_ids: [],
    model: 'm',
    status: 'cancelled',
    usage: { input_tokens: 0, output_tokens: 0 },
  };
  connection.send(end);
  await expect(cancelled).resolves.toEqual({ turnId: 't1', frame: end });
});

test('a callback that throws does not break the session, and is told', async () => {
  const { client, problems } = start({
    onFrame: () => {
      throw new Error('the screen is gone');
    },
  });
  const connecting = client.connect();
  const { connection } = await letIn(peer);
  await connecting;
  connection.send(toolCall(1, 'c1'));
  await acknowledgeResult(connection, 'c1');
  expect(problems[0]).toEqual({ event: 'callback.failed', message: 'onFrame: the screen is gone' });
});

test('without a folder for its journal a client does not connect', async () => {
  const { client } = start({ journalDir: '/dev/null/journal' });
  await expect(client.connect()).rejects.toThrow();
  expect(peer.connections).toHaveLength(0);
});

test('closing stops a running tool and lets its true result leave', async () => {
  const executor = new ScriptedExecutor({
    write_file: (_args, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve({ ok: true, result: { stopped: signal.reason as string } }))),
  });
  const { client } = start({ executor });
  const connecting = client.connect();
  const { connection } = await letIn(peer);
  await connecting;
  connection.send(toolCall(1, 'c1'));
  await eventually('the run', () => executor.runs.length === 1);
  const closed = client.close();
  expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ result: { stopped: 'closing' } });
  await closed;
  expect(await connection.ended).toMatchObject({ code: 1000 });
});

test('a refused token ends the connection with a sentence, without a second attempt', async () => {
  peer.refuseWith(401);
  const { client, states } = start();
  const failure = await client.connect().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConnectionClosedError);
  expect((failure as ConnectionClosedError).reason).toMatchObject({
    kind: 'unauthorized',
    message: expect.stringContaining('does not know this token'),
  });
  expect(states.map(({ kind }) => kind)).toEqual(['connecting', 'closed']);
  expect(JSON.stringify(failure)).not.toContain('token-1');
  await expect(client.sendMessage('x')).rejects.toBeInstanceOf(ConnectionClosedError);
});

test('a gateway that is not there yet is tried again until it is', async () => {
  peer.refuseWith(503);
  const { client, states } = start();
  const connecting = client.connect();
  await eventually('two attempts', () => states.filter(({ kind }) => kind === 'reconnecting').length >= 2);
  peer.refuseWith(undefined);
  await letIn(peer);
  await connecting;
});

test(verifies('G3:client-gap', 'a gap in the numbers makes the client come back and resume from the last frame that it has'), async () => {
  const { client, frames } = start();
  const connecting = client.connect();
  const { connection } = await letIn(peer);
  await connecting;
  const text = (seq: number, more: object = {}): object => ({
    type: 'assistant_message',
    seq,
    message_id: 'm',
    token: String(seq),
    is_final: false,
    ...more,
  });
  connection.send(text(1));
  connection.send(text(1));
  connection.send({ ...text(4), prev_seq: 1 });
  connection.send({ type: 'from_the_future', seq: 5 });
  connection.send(text(6));
  connection.send(text(9));
  const { connection: second, hello } = await letIn(peer, { seq: 9 });
  expect(hello['resume']).toMatchObject({ epoch: 'e1', seq: 6, frame: { type: 'assistant_message' } });
  for (const seq of [7, 8, 9]) second.send(text(seq));
  await eventually('frame 9', () => (frames.at(-1) as { seq?: number } | undefined)?.seq === 9);
  expect(frames.filter(({ type }) => type === 'assistant_message').map((frame) => (frame as { seq?: number }).seq)).toEqual([
    1, 4, 6, 7, 8, 9,
  ]);
});

test('a snapshot sets the position, and a drain moves the client to another connection', async () => {
  const { client, frames } = start();
  const connecting = client.connect();
  const { connection } = await letIn(peer);
  await connecting;
  connection.send(
    welcome({ recovered: false, epoch: 'e2', seq: 41, snapshot: { seq: 40, history: [], open_calls: [], todos: [], queue: [] } }),
  );
  connection.send({ type: 'todos_updated', seq: 41, todos: [] });
  await eventually('frame 41', () => frames.at(-1)?.type === 'todos_updated');
  connection.send({ type: 'drain', retry_after_ms: 5 });
  const { hello } = await letIn(peer, { epoch: 'e2', seq: 41 });
  expect(hello['resume']).toMatchObject({ epoch: 'e2', seq: 41, frame: { type: 'todos_updated' } });
});

test.each([
  [4500, 'unauthorized'],
  [4501, 'forbidden'],
  [4502, 'version'],
  [4504, 'refused'],
  [4999, 'refused'],
])('close code %i ends the connection as %s', async (code, kind) => {
  const { client, states } = start();
  const connecting = client.connect();
  const { connection } = await letIn(peer);
  await connecting;
  connection.close(code, 'because');
  await eventually('closed', () => states.at(-1)?.kind === 'closed');
  expect(client.state).toMatchObject({ kind: 'closed', reason: { kind, message: expect.stringContaining('because') } });
});

test.each([1001, 1009, 1011, 4000, 4001, 4002, 4003, 4401, 4450])('close code %i makes the client come back', async (code) => {
  const { client } = start();
  const connecting = client.connect();
  const { connection } = await letIn(peer);
  await connecting;
  connection.close(code);
  await letIn(peer);
});

test.each([
  ['FORBIDDEN', 'forbidden'],
  ['TOKEN_INVALID', 'unauthorized'],
  ['UNSUPPORTED_VERSION', 'version'],
  ['INVALID_FIELD', 'refused'],
  ['SESSION_NOT_FOUND', 'not_found'],
  ['QUOTA', 'refused'],
])('%s in the place of welcome says why there is no session, and the client stays away', async (code, kind) => {
  const { client } = start();
  const connecting = client.connect().catch((error: unknown) => error);
  const connection = await peer.next();
  await connection.next('hello');
  connection.send({ type: 'error', code, message: 'because', retryable: false });
  expect(((await connecting) as ConnectionClosedError).reason).toMatchObject({ kind, message: expect.stringContaining('because') });
});

test.each(['ALREADY_RESOLVED', 'CANCELLED', 'INTERNAL', 'TOKEN_EXPIRED', 'UNAVAILABLE'])(
  verifies('R4:late-hello', '%s in the place of welcome makes the client come back: a gateway may have taken it for a seed client'),
  async (code) => {
    const { client } = start();
    const connecting = client.connect();
    const first = await peer.next();
    await first.next('hello');
    first.send({ type: 'error', code, message: 'because', retryable: false });
    await letIn(peer);
    await connecting;
  },
);
