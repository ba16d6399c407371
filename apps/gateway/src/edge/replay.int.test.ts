import { expect, test } from 'vitest';
import { connectBus } from '@codelab/bus/redis';
import { eventually, startRedis, verifies, toTestEnvelope } from '@codelab/testkit';
import type { Frame, FrameClient } from './__fixtures__/frame-client.js';
import { PuppetRuntime } from './__fixtures__/puppet-runtime.js';
import { useGateways } from './__fixtures__/use-gateways.js';

const edge = useGateways(startRedis, { other: {} });
const { newSession, connect, join } = edge;

const welcomeOf = (client: FrameClient): Frame => client.ofType('welcome')[0]!;
const token = (text: string, messageId = 'm1'): object => ({
  type: 'assistant_message',
  message_id: messageId,
  token: text,
  is_final: false,
});
const seqs = (client: FrameClient): unknown[] =>
  client.received.filter(({ seq, type }) => seq !== undefined && type !== 'welcome').map(({ seq }) => seq);

test(
  verifies('G3:live', 'frames of one session reach every client on every gateway in the order of seq, without gap or repeat'),
  async () => {
    const session = newSession();
    const [one, other] = [await join(session), await join(session, 'c2', {}, edge.other)];
    for (let index = 0; index < 50; index += 1) await edge.runtime.say(session, token(`${String(index)} `), token('x'.repeat(index * 800)));
    for (const client of [one, other]) {
      await eventually('all frames', () => seqs(client).length >= 100);
      expect(seqs(client)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    }
  },
);

test(verifies('G3:resume', 'a client that comes back, on any gateway, gets what it missed and nothing twice'), async () => {
  const session = newSession();
  const before = await join(session);
  await edge.runtime.say(session, token('one'), token('two'));
  await eventually('two frames', () => seqs(before).length === 2);
  const { epoch } = welcomeOf(before);
  await before.close();
  await edge.runtime.say(session, token('three'), token('four'));
  const after = await join(session, 'c1', { resume: { epoch, seq: 1 } }, edge.other);
  expect(welcomeOf(after)).toMatchObject({ recovered: true, epoch, seq: 4 });
  expect(welcomeOf(after)).not.toHaveProperty('snapshot');
  await eventually('three frames', () => seqs(after).length === 3);
  await edge.runtime.say(session, token('five'));
  await eventually('the next', () => seqs(after).length === 4);
  expect(seqs(after)).toEqual([2, 3, 4, 5]);
});

test(verifies('G3:resume-gone', 'a position of another epoch, or ahead of the log, gets a snapshot'), async () => {
  const session = newSession();
  const first = await join(session);
  await edge.runtime.say(session, token('one'));
  const { epoch } = welcomeOf(first);
  for (const resume of [
    { epoch: 'other', seq: 0 },
    { epoch, seq: 99 },
  ]) {
    const client = await join(session, 'c1', { resume });
    expect(welcomeOf(client)).toMatchObject({ recovered: false, epoch, seq: 1, snapshot: { seq: 1 } });
    await client.settle();
    expect(seqs(client)).toEqual([]);
  }
});

test(
  verifies('G3:client-remembers', 'a client that has a frame which the log of its epoch lost, and nobody else knew of, begins a new epoch'),
  async () => {
    const session = newSession();
    const first = await join(session);
    await edge.runtime.say(session, token('one'));
    const { epoch } = welcomeOf(first);
    const client = await join(session, 'c1', { resume: { epoch, seq: 2 } });
    expect(welcomeOf(client)).toMatchObject({ recovered: false, seq: 1, snapshot: { seq: 1 } });
    expect(welcomeOf(client)['epoch']).not.toBe(epoch);
    await eventually('the other client is told', () => first.ofType('welcome').at(-1)?.['epoch'] === welcomeOf(client)['epoch']);
    const again = await join(session, 'c1', { resume: { epoch, seq: 2 } });
    expect(welcomeOf(again)['epoch']).toBe(welcomeOf(client)['epoch']);
  },
);

test(
  verifies(
    'G3:client-names-its-frame',
    'a client whose last frame the log has as another one, since the store went on without it, begins a new epoch',
  ),
  async () => {
    const session = newSession();
    const first = await join(session);
    await edge.runtime.say(session, token('one'), { type: 'tool_status', call_id: 'c', status: 'generating' });
    const { epoch } = welcomeOf(first);
    const resumeWith = (frame: object) => join(session, 'c1', { resume: { epoch, seq: 2, frame } });
    const known = { type: 'tool_status', call_id: 'c', status: 'generating' };
    const kept = [known, { ...known, turn_id: 'which the head of that frame does not have' }, { type: 'tool_status' }];
    for (const frame of kept) expect(welcomeOf(await resumeWith(frame))).toMatchObject({ recovered: true, epoch, seq: 2 });
    const client = await resumeWith({ ...known, call_id: 'another' });
    expect(welcomeOf(client)).toMatchObject({ recovered: false, seq: 2, snapshot: { seq: 2 } });
    const { epoch: next } = welcomeOf(client);
    expect(next).not.toBe(epoch);
    await eventually('the other client is told', () => first.ofType('welcome').at(-1)?.['epoch'] === next);
    await edge.runtime.say(session, token('two'));
    const wrongType = await join(session, 'c1', { resume: { epoch: next, seq: 3, frame: known } });
    expect(welcomeOf(wrongType)).toMatchObject({ recovered: false });
  },
);

test(verifies('G3:prev-seq', 'frames that a client did not name are left out, and the next one says after which it comes'), async () => {
  const session = newSession();
  const [deaf, hearing] = [await join(session), await join(session, 'c2', { capabilities: ['tool_status', 'todos_updated', 'nonsense'] })];
  await edge.runtime.say(
    session,
    token('one'),
    { type: 'tool_status', call_id: 'c', status: 'generating' },
    { type: 'todos_updated', todos: [] },
  );
  await edge.runtime.say(session, token('two'), token('three'));
  await eventually('all', () => seqs(deaf).length === 3 && seqs(hearing).length === 5);
  expect(deaf.ofType('assistant_message').map(({ seq, prev_seq }) => [seq, prev_seq])).toEqual([
    [1, undefined],
    [4, 1],
    [5, undefined],
  ]);
  expect(hearing.received.some((frame) => 'prev_seq' in frame)).toBe(false);
});

test(
  verifies('G3:snapshot', 'a snapshot holds the conversation, the running turn, its text so far, the open calls and the queue'),
  async () => {
    const session = newSession();
    const writer = await join(session);
    writer.send({ type: 'user_message', message_id: 'u1', content: 'go' });
    const { turn_id: turnId } = await writer.next('message_accepted');
    writer.send({ type: 'user_message', message_id: 'u2', content: 'later' });
    await writer.next('message_accepted');
    const history = Array.from({ length: 60 }, (_, index) =>
      JSON.stringify({
        role: 'tool',
        call_id: `c${String(index)}`,
        content: 'x'.repeat(index === 59 ? 50_000 : 10),
        is_error: false,
        at_ms: 1,
      }),
    );
    await edge.runtime.commit(session, {
      history,
      frames: [
        { type: 'turn_started', turn_id: turnId, message_ids: ['u1'], model: 'm' },
        { type: 'turn_steered', turn_id: turnId, message_ids: ['u3'] },
        token('Hel', 'a1'),
        token('lo', 'a1'),
      ].map((frame) => toTestEnvelope(JSON.stringify(frame))),
    });
    const reader = await join(session, 'c2', {}, edge.other);
    const { snapshot, seq } = welcomeOf(reader) as unknown as { snapshot: { history: Frame[] }; seq: number };
    expect(snapshot).toMatchObject({
      seq,
      history_cursor: '10',
      turn: { turn_id: turnId, status: 'running', message_ids: ['u1', 'u3'], model: 'm' },
      queue: [{ message_id: 'u2', content: 'later' }],
      partial: { message_id: 'a1', text: 'Hello' },
    });
    const items = snapshot.history;

    expect(items).toHaveLength(50);
    expect(items.at(-1)).toMatchObject({ call_id: 'c59', content: 'x'.repeat(4_096), content_truncated: true });
    await edge.runtime.say(session, token('!', 'a1'));
    expect(await reader.next('assistant_message')).toMatchObject({ token: '!', seq: seq + 1 });
  },
);

test(
  verifies('R4:redelivered', 'after a snapshot or a replay the executor gets each open call that those did not carry, as it stands now'),
  async () => {
    const session = newSession();
    const first = await join(session);
    const big = `{"path":"big.txt","content":"${'x'.repeat(1_000_000)}"}`;
    const write = { tool: 'write_file', idempotency: 'unsafe' } as const;
    await edge.runtime.call(session, { callId: 'call_1' });
    await edge.runtime.call(session, { callId: 'call_2', ...write, args: '{"path":"a","content":"old"}', asks: true });
    await edge.runtime.call(session, { callId: 'call_3', ...write, args: big, asks: true });
    await first.next('tool_call');
    const { epoch } = welcomeOf(first);
    first.send({ type: 'tool_preview', call_id: 'call_3', preview: { kind: 'text', text: 'big' } });
    first.send('{"type":"hitl_decision","call_id":"call_2","decision":"edit","modified_args":{"path":"a","content":"new"}}');
    await first.next('approval_resolved');
    await first.close();

    const fresh = await join(session);
    await eventually('three calls', () => fresh.ofType('tool_call').length === 3);
    const { snapshot } = welcomeOf(fresh) as unknown as { snapshot: { open_calls: Frame[] } };
    expect(snapshot.open_calls.map(({ call_id }) => call_id)).toEqual(['call_1', 'call_2']);
    expect(snapshot.open_calls[1]).toMatchObject({
      state: 'ready',
      args: { content: 'new' },
      approval: { outcome: 'edited', by: 'alice' },
    });
    const calls = new Map(fresh.ofType('tool_call').map((call) => [call['call_id'], call]));
    expect(calls.get('call_2')).toMatchObject({ redelivered: true, state: 'ready', args: { path: 'a', content: 'new' } });
    expect(calls.get('call_3')).toMatchObject({ redelivered: true, state: 'waiting_approval', args: JSON.parse(big) });
    await fresh.close();

    const observer = await join(session, 'c2', { tools: [] }, edge.other);
    expect(await observer.next('tool_call')).toMatchObject({ call_id: 'call_3' }); // too large for the snapshot
    expect(await observer.next('approval_updated')).toMatchObject({ call_id: 'call_3', preview: { text: 'big' } });

    const resumed = await join(session, 'c1', { resume: { epoch, seq: 1 } });
    await eventually('its calls', () => resumed.ofType('tool_call').length >= 3);
    await resumed.settle();
    const shown = resumed.ofType('tool_call').map(({ call_id, redelivered, state }) => [call_id, redelivered, state]);
    expect(shown).toEqual([
      ['call_2', undefined, 'waiting_approval'],
      ['call_3', undefined, 'waiting_approval'],
      ['call_1', true, 'ready'],
    ]);
  },
);

test(verifies('R2:replayed-answer', 'a call that was answered since is replayed as answered'), async () => {
  const session = newSession();
  const first = await join(session);
  await edge.runtime.call(session, { callId: 'call_1' });
  await first.next('tool_call');
  first.send({ type: 'tool_result', call_id: 'call_1', result: {}, fence: 1 });
  await first.next('tool_result_ack');
  const { epoch } = welcomeOf(first);
  const resumed = await join(session, 'c1', { resume: { epoch, seq: 0 } });
  expect(await resumed.next('tool_call')).toMatchObject({ call_id: 'call_1', seq: 1, state: 'answered', redelivered: true });
});

test(verifies('G3:deleted', 'a deleted session ends its connections'), async () => {
  const session = newSession();
  const client = await join(session);
  const seed = await connect(session, edge.other);
  seed.send({ type: 'user_message', content: 'hello' });
  await eventually('its turn', async () => (await edge.bus.store.readMeta(session))?.turnId !== '');
  await edge.bus.store.remove(session);
  for (const one of [client, seed]) {
    expect(await one.next('error')).toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect((await one.ended).code).toBe(1000);
  }
});

test(verifies('G3:flushed-told', 'who is connected when the store is emptied is told to come back, and begins a new epoch'), async () => {
  const ownRedis = await edge.anotherRedis({ aof: true });
  const own = await edge.another({ redisUrl: ownRedis.url });
  const session = newSession();
  const client = await join(session, 'c1', {}, own);
  const { epoch } = welcomeOf(client);
  await ownRedis.client.flushall();
  expect(await client.next('error')).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
  expect((await client.ended).code).toBe(4003);
  const again = welcomeOf(await join(session, 'c1', { resume: { epoch, seq: 0 } }, own));
  expect(again).toMatchObject({ recovered: false, executor: 'you' });
  expect(again.epoch).not.toBe(epoch);
});

test(
  verifies('G3:gone-told', 'a session that is gone, and of which nobody says that it was deleted, begins anew with its clients'),
  async () => {
    const session = newSession();
    const client = await join(session);
    const { epoch } = welcomeOf(client);
    await edge.redis.client.del(`cl:{${session.sid}}:meta`); // as a store does that lost the end of its file
    expect(await client.next('error')).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
    expect((await client.ended).code).toBe(4003);
    const again = welcomeOf(await join(session, 'c1', { resume: { epoch, seq: 0 } }));
    expect(again).toMatchObject({ recovered: false, executor: 'you' });
  },
);

test(
  verifies(
    'G3:set-back-told',
    'who is connected when the store is set back gets a new epoch, and hears who executes now as the store knows it',
  ),
  async () => {
    const session = newSession();
    const [first, second] = [await join(session, 'c1'), await join(session, 'c2')];
    await edge.runtime.say(session, token('one'), token('two'));
    await eventually('two frames', () => seqs(second).length === 2);
    const { epoch } = welcomeOf(second);
    await edge.bus.store.moveExecutor(session, 'c2');
    expect(await second.next('executor_changed')).toMatchObject({ executor: 'you' });
    const meta = `cl:{${session.sid}}:meta`;
    const ofFirst = { executor: 'c1', run_id: 'the master before', seq: '1' };
    await edge.redis.client.hset(meta, ofFirst);
    for (const [client, executor] of [
      [first, 'you'],
      [second, 'other'],
    ] as const) {
      const again = await eventually('a new snapshot', () => client.ofType('welcome')[1]);
      expect(again).toMatchObject({ recovered: false, seq: 1 });
      expect(again.epoch).not.toBe(epoch);
      await eventually(
        'the executor',
        () => client.received.findLast(({ type }) => type === 'welcome' || type === 'executor_changed')?.executor === executor,
      );
    }
  },
);

test(verifies('G3:redis-restarts', 'after Redis was away the frames go on where they stopped'), async () => {
  const ownRedis = await edge.anotherRedis({ aof: true });
  const own = await edge.another({ redisUrl: ownRedis.url });
  const ownBus = await connectBus({ url: ownRedis.url });
  try {
    const session = newSession();
    const client = await join(session, 'c1', {}, own);
    const puppet = new PuppetRuntime(ownBus.store);
    await puppet.say(session, token('one'));
    await client.next('assistant_message');
    await ownRedis.restart();
    await eventually('ready again', () => own.context.readiness.ready && ownBus.status() === 'ready');
    await puppet.say(session, token('two'));
    expect(await client.next('assistant_message')).toMatchObject({ token: 'two', seq: 2 });
  } finally {
    await ownBus.close();
  }
});
