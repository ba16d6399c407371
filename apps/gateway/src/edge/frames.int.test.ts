import { expect, test } from 'vitest';
import { eventually, startRedis, verifies, toTestEnvelope } from '@codelab/testkit';
import { hello } from './__fixtures__/frame-client.js';
import { useGateways } from './__fixtures__/use-gateways.js';

const edge = useGateways(startRedis);
const { newSession, connect, join } = edge;

test('hello is answered by a welcome with a snapshot, new makes a session, and a second hello is refused', async () => {
  const client = await connect({ sessionId: 'new' });
  client.send(hello('c1', { protocol_versions: ['1.0', '1.2', '9.9'] }));
  expect(await client.next('welcome')).toMatchObject({
    session_id: expect.stringMatching(/^ses_[a-z2-7]{26}$/),
    ...{ protocol_version: '1.2', recovered: false, executor: 'you', seq: 0 },
    limits: { max_frame_bytes: 10_485_760, max_message_characters: 10_000 },
    snapshot: { seq: 0, history: [], open_calls: [], todos: [], queue: [] },
  });
  client.send(hello('c1'));
  expect(await client.next('error')).toMatchObject({ code: 'ALREADY_RESOLVED' });
});

test('a client without a common version is told, and the connection ends with 4502', async () => {
  const client = await connect(newSession());
  client.send(hello('c1', { protocol_versions: ['9.9'] }));
  expect(await client.next('error')).toMatchObject({ code: 'UNSUPPORTED_VERSION' });
  expect((await client.ended).code).toBe(4502);
});

test(
  verifies('H1:hello-agent', 'a client can begin with an agent that its files describe, and is told the agents there are otherwise'),
  async () => {
    const session = newSession();
    const client = await connect(session);
    client.send(hello('c1', { agent: 'reviewer' }));
    expect(await client.next('error')).toMatchObject({
      code: 'INVALID_FIELD',
      message: 'hello.agent: there is no agent of this name; the agents are orchestrator, coder, architect, debug, ask',
    });
    client.send(hello('c1', { agent: 'reviewr', agents: ['reviewer', 'coder', '../x'] }));
    expect(await client.next('error')).toMatchObject({ message: expect.stringMatching(/debug, ask, reviewer$/) });
    client.send(hello('c1', { agent: 'reviewer', agents: ['reviewer'] }));
    await client.next('welcome');
    expect((await edge.bus.store.readMeta(session))?.agent).toBe('reviewer');
  },
);

test.each([
  ['a client_id that would be taken for a seed client', { client_id: 'seed' }],
  ['an agent that is none', { agent: 'wizard' }],
  ['a vocabulary that is none', { vocabulary: 'klingon' }],
  ['a foreign tool with the name of ours', { tools: [{ name: 'read_file', description: '', input_schema: {} }] }],
])('a hello with %s is refused, and a right one after it is welcome', async (_, fields) => {
  const client = await connect(newSession());
  client.send(hello('c1', fields));
  expect(await client.next('error')).toMatchObject({ code: 'INVALID_FIELD' });
  client.send(hello('c1'));
  await client.next('welcome');
});

test(verifies('G2:bad-frames', 'each bad frame gets one typed error, in order, and the connection lives'), async () => {
  const client = await join();
  const deep = `{"type":"cancel","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const bad: readonly (readonly [frame: string | Buffer, code: string, replyTo?: string])[] = [
    ['', 'INVALID_FORMAT'],
    ['[]', 'INVALID_FORMAT'],
    ['"text"', 'INVALID_FORMAT'],
    [deep, 'INVALID_FORMAT'],
    [Buffer.from('{"type":"cancel"}'), 'INVALID_FORMAT'], // binary
    ['{}', 'MISSING_FIELD'],
    ['{"type":"fly"}', 'INVALID_TYPE'],
    ['{"type":"welcome"}', 'INVALID_TYPE'],
    ['{"type":"tool_result","call_id":"c"}', 'INVALID_FIELD', 'c'],
    ['{"type":"hitl_decision","call_id":"c","decision":"edit"}', 'MISSING_FIELD', 'c'],
    ['{"type":"user_message","content":""}', 'INVALID_FIELD'],
    [`{"type":"user_message","message_id":"m","content":"${'é'.repeat(10_001)}"}`, 'INVALID_FIELD', 'm'],
    ['{"type":"queue_remove"}', 'MISSING_FIELD'],
    ['{"type":"tool_ack","call_id":"c","fence":-1,"state":"started"}', 'INVALID_FIELD', 'c'],
  ];
  for (const [frame] of bad) client.socket.send(frame);
  for (const [, code, replyTo] of bad) {
    const error = await client.next('error');
    expect([error['code'], error['reply_to']]).toEqual([code, replyTo]);
    expect(error['message']).not.toBe('');
  }
  await client.settle();
  expect(client.received).toHaveLength(bad.length + 2);
});

test('text that is not UTF-8 gets an error, and the connection lives', async () => {
  const client = await join();
  client.socket.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false });
  expect(await client.next('error')).toMatchObject({ code: 'INVALID_FORMAT', message: 'the message is not UTF-8' });
  await client.settle();
});

test(verifies('G2:oversize', 'a frame over 10 MB is answered, then the connection ends with 1009'), async () => {
  const client = await join();
  client.send(`{"type":"user_message","content":"${'x'.repeat(10 * 1024 * 1024)}"}`);
  expect(await client.next('error')).toMatchObject({ code: 'FRAME_TOO_LARGE' });
  expect((await client.ended).code).toBe(1009);
});

test('who goes on sending nonsense is sent away with 4504', async () => {
  const client = await join();
  for (let sent = 0; sent < 600; sent += 1) client.send('{}');
  expect((await client.ended).code).toBe(4504);
  expect(client.ofType('error').length).toBeGreaterThan(500);
});

test(verifies('G2:user-message', 'a message is accepted once: a repeat of its id gets the same answer'), async () => {
  const client = await join();
  const message = { type: 'user_message', message_id: 'm1', content: 'hello' };
  client.send(message);
  const first = await client.next('message_accepted');
  expect(first).toMatchObject({ message_id: 'm1', state: 'started', turn_id: expect.stringMatching(/^turn_/) });
  client.send(message);
  expect(await client.next('message_accepted')).toEqual(first);
  client.send({ type: 'user_message', content: 'next' });
  expect(await client.next('message_accepted')).toMatchObject({ state: 'queued', position: 1 });
  client.send({ type: 'user_message', content: 'no', when_busy: 'reject', message_id: 'm3' });
  expect(await client.next('error')).toMatchObject({ code: 'BUSY', retryable: true, reply_to: 'm3' });
  client.send({ type: 'user_message', content: 'x', agent: 'wizard', message_id: 'm4' });
  expect(await client.next('error')).toMatchObject({ code: 'INVALID_FIELD', reply_to: 'm4' });
});

test(
  verifies('G2:message-reused', 'another text under the id of a message is INVALID_FIELD; the first stays, and so does its answer'),
  async () => {
    const client = await join();
    client.send({ type: 'user_message', message_id: 'm1', content: 'delete a.txt' });
    const first = await client.next('message_accepted');
    client.send({ type: 'user_message', message_id: 'm1', content: 'delete b.txt' });
    expect(await client.next('error')).toMatchObject({ code: 'INVALID_FIELD', reply_to: 'm1', reply_to_type: 'user_message' });
    client.send({ type: 'user_message', message_id: 'm1', content: 'delete a.txt' });
    expect(await client.next('message_accepted')).toEqual(first);
  },
);

test(verifies('G2:queue-remove', 'queue_remove is answered by queue_updated, whatever the capabilities of the asker'), async () => {
  const session = newSession();
  const [asker, watcher, deaf] = [
    await join(session),
    await join(session, 'c2', { capabilities: ['queue_updated'] }),
    await join(session, 'c3'),
  ];
  asker.send({ type: 'user_message', content: 'one' });
  asker.send({ type: 'user_message', content: 'two', message_id: 'm2' });
  asker.send({ type: 'queue_remove', message_id: 'm2' });
  expect(await asker.next('queue_updated')).toMatchObject({ queue: [], seq: 2 });
  asker.send({ type: 'queue_remove', message_id: 'm2' });
  expect(await asker.next('error')).toMatchObject({ code: 'UNKNOWN_MESSAGE', reply_to: 'm2' });
  asker.send({ type: 'queue_remove', message_id: 'm9' });
  expect(await asker.next('error')).toMatchObject({ code: 'UNKNOWN_MESSAGE', reply_to: 'm9' });
  expect(asker.ofType('queue_updated')).toHaveLength(1);
  await watcher.next('queue_updated');
  expect(await watcher.next('queue_updated')).toMatchObject({ queue: [] });
  await deaf.settle();
  expect(deaf.ofType('queue_updated')).toEqual([]);
});

test('switch_agent is answered by agent_switched; a message that comes with it is stored', async () => {
  const session = newSession();
  const client = await join(session);
  client.send({ type: 'switch_agent', agent: 'architect', content: 'design it' });
  expect(await client.next('agent_switched')).toMatchObject({ agent: 'architect', seq: 1 });
  expect((await edge.bus.store.readMeta(session))?.turnId).toMatch(/^turn_/);
  client.send({ type: 'switch_agent', agent: 'wizard' });
  expect(await client.next('error')).toMatchObject({ code: 'INVALID_FIELD' });
});

test(verifies('G2:mode-told', 'who named mode_switched hears of another mode at once, and in the replay; nobody else does'), async () => {
  const session = newSession();
  const [watcher, deaf] = [await connect(session), await connect(session)];
  watcher.send(hello('c1', { capabilities: ['mode_switched'] }));
  deaf.send(hello('c2', { capabilities: [] }));
  const { epoch } = await watcher.next('welcome');
  await deaf.next('welcome');
  await edge.ask('PATCH', `/sessions/${session.sessionId}`, { body: { mode: 'plan' } });
  expect(await watcher.next('mode_switched')).toEqual({ type: 'mode_switched', seq: 1, mode: 'plan' });
  await deaf.settle();
  expect(deaf.ofType('mode_switched')).toEqual([]);
  const [returned, fresh] = [await connect(session), await connect(session)];
  returned.send(hello('c3', { capabilities: ['mode_switched'], resume: { epoch, seq: 0 } }));
  expect(await returned.next('mode_switched')).toMatchObject({ seq: 1, mode: 'plan' });
  fresh.send(hello('c4'));
  expect(await fresh.next('welcome')).toMatchObject({ snapshot: { mode: 'plan' } });
});

test('cancel is refused where nothing runs, and answered by the logged turn_ended where a turn does', async () => {
  const session = newSession();
  const client = await join(session);
  client.send({ type: 'cancel' });
  expect(await client.next('error')).toMatchObject({ code: 'UNKNOWN_TURN' });
  client.send({ type: 'user_message', content: 'one' });
  const { turn_id: turnId } = await client.next('message_accepted');
  client.send({ type: 'cancel', turn_id: 'turn_other' });
  expect(await client.next('error')).toMatchObject({ code: 'UNKNOWN_TURN', reply_to: 'turn_other' });
  client.send({ type: 'cancel' });
  await eventually('the request', async () => (await edge.bus.store.readMeta(session))?.cancelTurnId === turnId);
  await edge.runtime.say(session, { type: 'turn_ended', turn_id: turnId, message_ids: [], model: '', status: 'cancelled', usage: {} });
  expect(await client.next('turn_ended')).toMatchObject({ turn_id: turnId, status: 'cancelled' });
  expect(client.ofType('error')).toHaveLength(2);
});

test('tool_output and agent_status reach those who named them, and nobody else', async () => {
  const session = newSession();
  const capabilities = ['tool_output', 'agent_status'];
  const [executor, watcher, deaf] = [await join(session), await join(session, 'c2', { capabilities }), await join(session, 'c3')];
  await edge.runtime.call(session, { callId: 'call_1' });
  executor.send({ type: 'tool_output', call_id: 'call_1', stream: 'stdout', offset: 0, data: 'line\n' });
  expect(await watcher.next('tool_output')).toMatchObject({ call_id: 'call_1', offset: 0, data: 'line\n' });
  await edge.bus.store.relay(session, toTestEnvelope('{"type":"agent_status","status":"thinking"}'));
  expect(await watcher.next('agent_status')).toEqual({ type: 'agent_status', status: 'thinking' });
  executor.send({ type: 'tool_output', call_id: 'call_1', stream: 'stdout', offset: 4 * 1024 * 1024, data: 'x' });
  expect(await executor.next('error')).toMatchObject({ code: 'INVALID_FIELD', reply_to: 'call_1' });
  await deaf.settle();
  expect([...deaf.ofType('tool_output'), ...deaf.ofType('agent_status')]).toEqual([]);
});

test(
  verifies('G2:unavailable', 'while Redis is away clients are told UNAVAILABLE; what was accepted is there when it is back'),
  async () => {
    const ownRedis = await edge.anotherRedis({ aof: true });
    const own = await edge.another({ redisUrl: ownRedis.url });
    const session = newSession();
    const client = await join(session, 'c1', {}, own);
    client.send({ type: 'user_message', message_id: 'm1', content: 'one' });
    const accepted = await client.next('message_accepted');
    await ownRedis.kill();
    expect(await client.next('error')).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
    expect(own.context.readiness.waitingFor).toEqual(['redis']);
    client.send({ type: 'user_message', message_id: 'm2', content: 'two' });
    await expect(connect(session, own)).rejects.toMatchObject({ status: 503 });
    await ownRedis.start();
    await eventually('ready again', () => own.context.readiness.ready);
    expect(await client.next('message_accepted')).toMatchObject({ message_id: 'm2' }); // it has waited
    client.send({ type: 'user_message', message_id: 'm1', content: 'one' });
    expect(await client.next('message_accepted')).toEqual(accepted);
  },
);
