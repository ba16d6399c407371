import { expect, test } from 'vitest';
import type { SessionRef } from '@codelab/bus';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import { hello, type FrameClient } from './__fixtures__/frame-client.js';
import { useGateways } from './__fixtures__/use-gateways.js';

const edge = useGateways(startRedis);
const { newSession, connect } = edge;

const WRITE = { tool: 'write_file', args: '{"path":"a","content":"x"}', idempotency: 'unsafe' } as const;

/** A client without `hello`, known by its first frame. */
const connectSeed = async (session: SessionRef): Promise<FrameClient> => {
  const client = await connect(session);
  await client.settle();
  return client;
};

const typesOf = (client: FrameClient): string[] =>
  client.received.filter(({ reply_to: replyTo }) => !String(replyTo).startsWith('mark-')).map(({ type }) => type);

test(verifies('G2:seed-frames', 'a client of the seed alone gets text, calls and errors, and nothing else'), async () => {
  const session = newSession();
  const client = await connect(session);
  client.send({ type: 'user_message', content: 'hello' });
  await eventually('the turn', async () => ((await edge.bus.store.readMeta(session))?.turnId ?? '') !== '');
  await edge.runtime.say(
    session,
    { type: 'turn_started', turn_id: 't', message_ids: [], model: 'm' },
    { type: 'assistant_message', message_id: 'a', token: 'Hi', is_final: false },
    { type: 'queue_updated', queue: [] },
    { type: 'assistant_message', message_id: 'a', token: '', is_final: true, content: 'Hi' },
    { type: 'turn_ended', turn_id: 't', message_ids: [], model: 'm', status: 'completed', usage: {} },
  );
  await edge.runtime.call(session, { callId: 'call_1' });
  await client.next('tool_call');
  client.send({ type: 'tool_result', call_id: 'call_1', result: { content: 'x', encoding: 'utf-8' } });
  await eventually('the result', async () => (await edge.bus.store.readCalls(session.sid))[0]?.state === 'answered');
  client.send({ type: 'tool_result', call_id: 'call_9', result: {} });
  await client.next('error');
  expect(typesOf(client)).toEqual(['assistant_message', 'assistant_message', 'tool_call', 'error']);
});

test('a turn that fails or is cancelled is an error to it', async () => {
  const session = newSession();
  const client = await connectSeed(session);
  const end = { type: 'turn_ended', message_ids: [], model: 'm', usage: {} };
  await edge.runtime.say(session, { ...end, turn_id: 't1', status: 'failed', error: { code: 'TURN_FAILED', message: 'no model' } });
  expect(await client.next('error')).toMatchObject({ code: 'TURN_FAILED', message: 'no model', reply_to: 't1' });
  await edge.runtime.say(session, { ...end, turn_id: 't2', status: 'cancelled' });
  expect(await client.next('error')).toMatchObject({ code: 'CANCELLED', reply_to: 't2' });
});

test(
  verifies(
    'G3:seed-numbers',
    'what a seed client is told in place of a frame has no number, and the numbers of its other frames have no gap',
  ),
  async () => {
    const session = newSession();
    const seed = await connectSeed(session);
    const human = await connect(session);
    human.send(hello('c2', { tools: [] }));
    await human.next('welcome');
    const text = { type: 'assistant_message', message_id: 'a', token: 'Hi', is_final: false };
    const end = { type: 'turn_ended', message_ids: [], model: 'm', usage: {} };
    await edge.runtime.say(session, { type: 'turn_started', turn_id: 't', message_ids: [], model: 'm' }, text);
    await edge.runtime.say(session, { ...end, turn_id: 't', status: 'failed', error: { code: 'TURN_FAILED', message: 'no model' } }, text);
    await edge.runtime.call(session, { callId: 'call_1', ...WRITE, asks: true });
    await seed.next('tool_call');
    human.send({ type: 'hitl_decision', call_id: 'call_1', decision: 'approve' });
    expect(await seed.next('tool_call')).toMatchObject({ requires_approval: false });
    await edge.runtime.say(session, { ...end, turn_id: 't2', status: 'cancelled' }, text);
    await eventually('the last text', () => seed.ofType('assistant_message').length === 3);

    const [numbered, others] = [seed.received.filter(({ seq }) => seq !== undefined), seed.received.filter(({ seq }) => seq === undefined)];
    expect(others.filter((frame) => 'prev_seq' in frame)).toEqual([]);
    expect(others.map(({ code, type }) => code ?? type)).toEqual(['UNKNOWN_MESSAGE', 'TURN_FAILED', 'tool_call', 'CANCELLED']);
    expect(numbered.map(({ seq, prev_seq: before }) => [before, seq])).toEqual([
      [0, 2],
      [2, 4],
      [undefined, 5],
      [5, 8],
    ]);
  },
);

test('silence makes a seed client; a hello that comes later is still the first frame while nothing was sent', async () => {
  const session = newSession();
  const client = await connect(session);
  await eventually('the seed client', async () => (await edge.bus.store.readMeta(session))?.executor === 'seed');
  client.send(hello('c1'));
  expect(await client.next('welcome')).toMatchObject({ executor: 'you' });
  expect((await edge.bus.store.readMeta(session))?.executor).toBe('c1');

  const other = await connectSeed(newSession());
  other.send(hello('c1'));
  await other.next('welcome');
  const late = newSession();
  const silent = await connectSeed(late);
  await edge.runtime.say(late, { type: 'assistant_message', message_id: 'a', token: 'Hi', is_final: false });
  await silent.next('assistant_message');
  silent.send(hello('c1'));
  expect(await silent.next('error')).toMatchObject({ code: 'ALREADY_RESOLVED' });
});

test(
  verifies(
    'R2:seed-reconnects',
    'a new connection gets safe calls and calls that nobody was given; an unsafe one that was written is not written again',
  ),
  async () => {
    const session = newSession();
    const first = await connectSeed(session);
    await edge.runtime.call(session, { callId: 'call_safe' });
    await edge.runtime.call(session, { callId: 'call_unsafe', ...WRITE });
    await eventually('both', () => first.ofType('tool_call').length === 2);
    await first.close();
    await eventually('its end', async () => (await edge.bus.store.readCalls(session.sid))[1]?.givenTo.startsWith('seed:'));
    await edge.runtime.call(session, { callId: 'call_new', ...WRITE });
    const second = await connectSeed(session);
    await eventually('its calls', () => second.ofType('tool_call').length >= 2);
    await second.settle();
    expect(second.ofType('tool_call').map(({ call_id }) => call_id)).toEqual(['call_safe', 'call_new']);
    second.send({ type: 'tool_result', call_id: 'call_unsafe', result: {} });
    await eventually('its result', async () => (await edge.bus.store.readCalls(session.sid))[1]?.state === 'answered');
  },
);

test(
  verifies('H2:seed-lost', 'a seed client is not given a call again of whose arguments the store lost a part: the model reads that'),
  async () => {
    const session = newSession();
    const first = await connectSeed(session);
    await edge.runtime.call(session, { callId: 'call_1', digest: '0'.repeat(64) });
    await edge.runtime.call(session, { callId: 'call_2' });
    await eventually('both', () => first.ofType('tool_call').length === 2);
    await first.close();
    const second = await connectSeed(session);
    expect(await second.next('tool_call')).toMatchObject({ call_id: 'call_2' });
    const [lost] = await edge.bus.store.readCalls(session.sid);
    expect(lost).toMatchObject({ state: 'answered', result: expect.stringContaining('INVALID_ARGUMENTS') as string });
    expect(second.ofType('tool_call')).toHaveLength(1);
  },
);

test(
  verifies(
    'H1:seed-decides',
    'a seed client that answers a question has decided it; one that is decided elsewhere it gets as a call to run',
  ),
  async () => {
    const session = newSession();
    const seed = await connectSeed(session);
    const human = await connect(session);
    human.send(hello('c2', { tools: [] }));
    await human.next('welcome');
    await edge.runtime.call(session, { callId: 'call_1', ...WRITE, asks: true });
    expect(await seed.next('tool_call')).toMatchObject({ call_id: 'call_1', requires_approval: true });
    seed.send({ type: 'tool_result', call_id: 'call_1', error: { code: 'PERMISSION_DENIED', message: 'no' } });
    expect(await human.next('approval_resolved')).toMatchObject({ call_id: 'call_1', outcome: 'rejected', by: 'executor' });
    for (const code of ['DENIED_BY_USER', 'DENIED_BY_POLICY']) {
      await edge.runtime.call(session, { callId: code, ...WRITE, asks: true });
      await seed.next('tool_call');
      seed.send({ type: 'tool_result', call_id: code, error: { code, message: 'no' } });
      expect(await human.next('approval_resolved')).toMatchObject({ call_id: code, outcome: 'rejected', by: 'executor' });
    }

    await edge.runtime.call(session, { callId: 'call_2', ...WRITE, asks: true });
    expect(await seed.next('tool_call')).toMatchObject({ call_id: 'call_2', requires_approval: true });
    human.send('{"type":"hitl_decision","call_id":"call_2","decision":"edit","modified_args":{"path":"b","content":"y"}}');
    await human.next('approval_resolved');
    const decided = await seed.next('tool_call');
    expect(decided).toMatchObject({ call_id: 'call_2', requires_approval: false, state: 'ready', args: { path: 'b', content: 'y' } });
    await seed.settle();
    expect(seed.ofType('approval_resolved')).toEqual([]);
  },
);

test('beside a client that declared tools a seed client observes', async () => {
  const session = newSession();
  const executor = await connect(session);
  executor.send(hello('c1'));
  await executor.next('welcome');
  const seed = await connectSeed(session);
  await edge.runtime.call(session, { callId: 'call_1', ...WRITE });
  await executor.next('tool_call');
  await seed.settle();
  expect(seed.ofType('tool_call')).toEqual([]);
});
