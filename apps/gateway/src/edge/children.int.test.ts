import { describe, expect, test } from 'vitest';
import { newId, SERVER_EXECUTOR, type SessionRef } from '@codelab/bus';
import { argsDigest } from '@codelab/tools';
import { eventually, startRedis, verifies, toTestEnvelope } from '@codelab/testkit';
import { askRest, outcomeOf } from './__fixtures__/ask-rest.js';
import { hello, type Frame } from './__fixtures__/frame-client.js';
import type { TestCall } from './__fixtures__/puppet-runtime.js';
import { useGateways } from './__fixtures__/use-gateways.js';

const edge = useGateways(startRedis, { other: {}, hello: { protocol_versions: ['2.0'] } });
const { newSession, connect, join } = edge;

const WRITE = { tool: 'write_file', args: '{"path":"a.txt","content":"x"}', idempotency: 'unsafe', asks: true } as const;
const PROXY = { origin: 'proxy' } as const;
const SERVER = { origin: 'proxy', runs_at: 'server' } as const;

/** A program begins something in a session. */
const begin = async (parent: SessionRef): Promise<SessionRef> => {
  const opened = await edge.bus.children.open(parent, {
    ...{ sessionId: newId('ses'), turnId: newId('turn'), model: 'm', base: '{}', maxToolRounds: 0 },
    ...{ callerTools: [], serverTools: [], executorTools: ['read_file', 'write_file'] },
  });
  if (opened.kind === 'refused') throw new Error(opened.code);
  return opened.child.ref;
};
const call = (child: SessionRef, asked: TestCall) => edge.runtime.call(child, { more: PROXY, ...asked });
const end = async (child: SessionRef): Promise<void> => {
  const turnId = (await edge.bus.store.readMeta(child))!.turnId;
  const frame = JSON.stringify({ type: 'turn_ended', turn_id: turnId, message_ids: [], model: 'm', status: 'completed' });
  await edge.runtime.commit(child, { frames: [toTestEnvelope(frame)], endTurn: { turnId } });
};
const approve = (callId: string, more: object = {}) => ({ type: 'hitl_decision', call_id: callId, decision: 'approve', ...more });
const result = (callId: string) => ({ type: 'tool_result', call_id: callId, result: { success: true }, fence: 1 });
const hasNumber = (frame: Frame): boolean => 'seq' in frame || 'prev_seq' in frame;

test(
  verifies(
    'R4:child-calls',
    'and comes again with a new snapshot of the session, which does not name it: whoever has that has forgotten the rest',
  ),
  async () => {
    const parent = newSession();
    const executor = await join(parent, 'c1');
    const child = await begin(parent);
    await call(child, { callId: 'call_1', ...WRITE });
    expect(await executor.next('tool_call')).toMatchObject({ call_id: 'call_1' });
    await edge.redis.client.hset(`cl:{${parent.sid}}:meta`, 'run_id', 'the master before');
    await edge.bus.store.patch(parent, { title: 'set back' });
    expect(await executor.next('welcome')).toMatchObject({ recovered: false });
    expect(await executor.next('tool_call')).toMatchObject({ call_id: 'call_1', redelivered: true, state: 'waiting_approval' });
  },
);

test(verifies('R4:child-calls', 'and a question that the store of the child alone has lost is taken back'), async () => {
  const parent = newSession();
  const executor = await join(parent, 'c1');
  const child = await begin(parent);
  await call(child, { callId: 'call_1', ...WRITE });
  expect(await executor.next('tool_call')).toMatchObject({ call_id: 'call_1' });
  const { client } = edge.redis;
  await client.del(`cl:{${child.sid}}:calls`);
  await client.hset(`cl:{${child.sid}}:meta`, 'run_id', 'the master before');
  await edge.bus.store.patch(child, { title: 'set back' });
  expect(await executor.next('tool_cancel')).toMatchObject({ call_id: 'call_1', reason: 'superseded' });
  expect(executor.ofType('tool_call')).toHaveLength(1);
});

test(verifies('R2:successor-waits', 'an executor that may still run a call of a child keeps its session as well'), async () => {
  const gateway = await edge.another({ executorGraceMs: 100 });
  const [parent, idle] = [newSession(), newSession()];
  const leaving = [await join(parent, 'c1'), await join(idle, 'c1')];
  const next = await join(parent, 'c2', {}, gateway);
  const control = await join(idle, 'c2', {}, gateway);
  const child = await begin(parent);
  await call(child, { callId: 'call_1', tool: 'write_file', args: WRITE.args, idempotency: 'unsafe' });
  await leaving[0]!.next('tool_call');
  await Promise.all(leaving.map((client) => client.close()));
  expect(await control.next('executor_changed')).toMatchObject({ executor: 'you' });
  expect(await edge.bus.store.readMeta(parent)).toMatchObject({ executor: 'c1' });
  await edge.bus.store.settleCall(child, { callId: 'call_1', clientId: 'c1', frame: JSON.stringify(result('call_1')) });
  expect(await next.next('executor_changed')).toMatchObject({ executor: 'you' });
});

test(
  verifies('R2:stranded', 'a call that was given to an executor that comes back when another executes is over: nobody else could run it'),
  async () => {
    const parent = newSession();
    const first = await join(parent, 'c1');
    await join(parent, 'c2', {}, edge.other);
    const child = await begin(parent);
    const unsafe = { tool: 'write_file', args: WRITE.args, idempotency: 'unsafe' } as const;
    await edge.runtime.call(parent, { callId: 'call_p', ...unsafe });
    for (const callId of ['call_r', 'call_s', 'call_u']) await call(child, { callId, ...unsafe });
    for (const _ of 'prsu') await first.next('tool_call');
    await first.close();
    await edge.bus.store.moveExecutor(parent, 'c2');
    const calls = [
      { call_id: 'call_r', args_sha256: '', state: 'received' },
      { call_id: 'call_s', args_sha256: '', state: 'started' },
    ];
    const { epoch } = (await edge.bus.store.readMeta(parent))!;
    await join(parent, 'c1', { resume: { epoch, seq: 0, calls } });
    const codes = async (ref: SessionRef) =>
      Object.fromEntries(
        (await edge.bus.store.readCalls(ref.sid)).map(({ callId, state, result: text }) => [
          callId,
          text ? JSON.parse(text).error.code : state,
        ]),
      );
    expect(await codes(parent)).toEqual({ call_p: 'OUTCOME_UNKNOWN' });
    expect(await codes(child)).toEqual({ call_r: 'CANCELLED', call_s: 'ready', call_u: 'OUTCOME_UNKNOWN' });
  },
);

test(
  verifies('R4:child-calls', 'a call of a program is asked, decided and run by the clients of the session that it uses, from any gateway'),
  async () => {
    const parent = newSession();
    const executor = await join(parent, 'c1', { capabilities: ['tool_status', 'tool_output'] });
    const approver = await join(parent, 'c2', { tools: [], capabilities: ['tool_output'] }, edge.other);
    const child = await begin(parent);
    await call(child, { callId: 'call_1', ...WRITE });
    for (const client of [executor, approver]) {
      expect(await client.next('tool_call')).toMatchObject({ call_id: 'call_1', state: 'waiting_approval', origin: 'proxy' });
    }
    executor.send({ type: 'tool_ack', call_id: 'call_1', fence: 1, state: 'received' });
    executor.send({ type: 'tool_preview', call_id: 'call_1', preview: { kind: 'diff', text: '+x' } });
    expect(await approver.next('approval_updated')).toMatchObject({ call_id: 'call_1', preview: { text: '+x' } });
    approver.send(approve('call_1'));
    for (const client of [executor, approver]) {
      expect(await client.next('approval_resolved')).toMatchObject({ call_id: 'call_1', outcome: 'approved' });
    }
    executor.send({ type: 'tool_ack', call_id: 'call_1', fence: 1, state: 'started' });
    executor.send({ type: 'tool_output', call_id: 'call_1', stream: 'stdout', offset: 0, data: 'half\n' });
    expect(await approver.next('tool_output')).toMatchObject({ call_id: 'call_1', data: 'half\n' });
    await edge.runtime.say(child, { type: 'tool_status', call_id: 'call_1', status: 'calling' });
    await executor.next('tool_status');
    approver.send(result('call_1'));
    expect(await approver.next('error')).toMatchObject({ code: 'FORBIDDEN', reply_to: 'call_1' });
    for (const outcome of ['accepted', 'duplicate']) {
      executor.send(result('call_1'));
      expect(await executor.next('tool_result_ack')).toEqual({ type: 'tool_result_ack', call_id: 'call_1', outcome });
    }
    const [record] = await edge.bus.store.readCalls(child.sid);
    expect(record).toMatchObject({
      state: 'answered',
      progress: 'started',
      startedAtMs: expect.any(Number),
      decision: { by: expect.any(String) },
    });
    expect([executor, approver].flatMap(({ received }) => received.filter(({ type }) => type !== 'welcome')).filter(hasNumber)).toEqual([]);
    expect((await edge.bus.store.readMeta(parent))?.seq).toBe(0);
  },
);

test(
  verifies(
    'G3:child-frames',
    'the text of a program reaches nobody but the program, and its frames leave no gap in the log of the session',
  ),
  async () => {
    const parent = newSession();
    const executor = await join(parent, 'c1', { capabilities: ['queue_updated'] });
    const seed = await connect(parent, edge.other);
    const child = await begin(parent);
    await edge.runtime.say(child, { type: 'assistant_message', message_id: 'm', token: 'private', is_final: true });
    await call(child, { callId: 'call_g3' });
    await executor.next('tool_call');
    await end(child);
    await edge.runtime.say(parent, { type: 'queue_updated', queue: [] });
    expect(await executor.next('queue_updated')).toMatchObject({ seq: 1 });
    seed.send({ type: 'queue_remove', message_id: 'none' });
    await seed.next('error');
    expect([...executor.texts, ...seed.texts].filter((text) => text.includes('private'))).toEqual([]);
    const back = await connect(parent, edge.other);
    const { epoch } = (await edge.bus.store.readMeta(parent))!;
    back.send(hello('c1', { capabilities: ['queue_updated'], resume: { epoch, seq: 0 } }));
    expect(await back.next('welcome')).toMatchObject({ recovered: true, seq: 1 });
    expect(await back.next('queue_updated')).toMatchObject({ seq: 1 });
  },
);

describe('an executor that comes back', () => {
  test(
    verifies(
      'R4:child-reconnect',
      'on another gateway is given the open call again, answers it there, and hears of a repeat after its end',
    ),
    async () => {
      const parent = newSession();
      const first = await join(parent, 'c1');
      const child = await begin(parent);
      await call(child, { callId: 'call_r', ...WRITE });
      await first.next('tool_call');
      first.send(approve('call_r'));
      await first.next('approval_resolved');
      await first.close();
      const second = await join(parent, 'c1', {}, edge.other);
      expect(await second.next('tool_call')).toMatchObject({
        ...{ call_id: 'call_r', state: 'ready', redelivered: true, origin: 'proxy', args_sha256: argsDigest(JSON.parse(WRITE.args)) },
      });
      second.send(result('call_r'));
      expect(await second.next('tool_result_ack')).toMatchObject({ outcome: 'accepted' });
      await edge.runtime.commit(child, { calls: [{ kind: 'close', callId: 'call_r', synthetic: false }] });
      await end(child);
      const third = await join(parent, 'c1');
      third.send(result('call_r'));
      expect(await third.next('tool_result_ack')).toMatchObject({ outcome: 'duplicate' });
      expect(third.ofType('tool_call')).toEqual([]);
    },
  );

  test(
    verifies('R2:child-journal', 'does not have its calls for programs noted as unknown ones, and is told which of them are over'),
    async () => {
      const parent = newSession();
      const first = await join(parent, 'c1');
      const child = await begin(parent);
      await call(child, { callId: 'call_open', ...WRITE });
      await call(child, { callId: 'call_over', ...WRITE });
      await edge.runtime.commit(child, { calls: [{ kind: 'close', callId: 'call_over', synthetic: true }] });
      await first.close();
      const calls = ['call_open', 'call_over', 'call_alien'].map((call_id) => ({
        call_id,
        args_sha256: 'a'.repeat(64),
        state: 'received',
      }));
      const second = await connect(parent, edge.other);
      second.send(hello('c1', { protocol_versions: ['2.0'], resume: { epoch: 'e', seq: 0, calls } }));
      expect(await second.next('tool_cancel')).toMatchObject({ call_id: 'call_over', reason: 'cancelled' });
      expect(await second.next('tool_call')).toMatchObject({ call_id: 'call_open' });
      const noted = (await edge.bus.store.readInbox(parent.sid, 0)).map((entry) => (entry.kind === 'journal' ? entry.calls : entry.kind));
      expect(noted).toEqual([expect.stringMatching(/^\[\{"call_id":"call_alien"[^{]*\}\]$/)]);
    },
  );

  test('as another client takes over what programs ask for, when a human says so', async () => {
    const parent = newSession();
    await join(parent, 'c1');
    const second = await join(parent, 'c2', {}, edge.other);
    const child = await begin(parent);
    await call(child, { callId: 'call_m', ...WRITE });
    await second.next('tool_call');
    expect((await askRest(edge.gateway, 'POST', `/sessions/${parent.sessionId}/executor`, { body: { client_id: 'c2' } })).status).toBe(200);
    expect(await second.next('tool_call')).toMatchObject({ call_id: 'call_m', redelivered: true });
    second.send(approve('call_m'));
    await second.next('approval_resolved');
    second.send(result('call_m'));
    expect(await second.next('tool_result_ack')).toMatchObject({ outcome: 'accepted' });
    expect(await edge.bus.store.readMeta(child)).toMatchObject({ executor: 'c2', executorTools: '["read_file","write_file"]' });
  });
});

test(
  verifies(
    'R4:child-newest',
    'a socket whose newer one was gone when its client became the executor gets the calls of programs, too, once it takes its place',
  ),
  async () => {
    const parent = newSession();
    await join(parent, 'c1', {}, edge.other);
    const second = await join(parent, 'c2');
    const child = await begin(parent);
    await call(child, { callId: 'call_n', ...WRITE });
    await second.next('tool_call');
    await edge.bus.store.signal(parent, { type: 'connection_joined', client: 'c2', connection: 'of a process that died' });
    await edge.bus.store.moveExecutor(parent, 'c2');
    expect(await second.next('tool_call')).toMatchObject({ call_id: 'call_n', redelivered: true });
    expect(await edge.bus.store.readMeta(child)).toMatchObject({ executor: 'c2', executorTools: '["read_file","write_file"]' });
  },
);

test(
  verifies(
    'S1:child-questions',
    'REST names and decides questions of programs for their person alone, and keeps what is remembered at the session',
  ),
  async () => {
    const parent = newSession();
    await join(parent, 'c1');
    const child = await begin(parent);
    await call(child, { callId: 'call_q', ...WRITE });
    const path = `/sessions/${parent.sessionId}`;
    expect((await askRest(edge.other, 'GET', `${path}/pending-approvals`)).body).toMatchObject({
      approvals: [{ call_id: 'call_q', origin: 'proxy', state: 'waiting_approval' }],
    });
    expect(outcomeOf(await askRest(edge.other, 'GET', `${path}/pending-approvals`, { token: 'bob-token' }))).toEqual([
      404,
      'SESSION_NOT_FOUND',
    ]);
    const decide = (rule: object, token?: string) =>
      askRest(edge.other, 'POST', `${path}/decisions`, {
        ...(token === undefined ? {} : { token }),
        body: { call_id: 'call_q', decision: 'approve', remember: { scope: 'session', rule } },
      });
    const rule = { effect: 'allow', tool: 'write_file', path: '*.txt' };
    expect(outcomeOf(await decide({ ...rule, proxy: true }, 'bob-token'))).toEqual([404, 'SESSION_NOT_FOUND']);
    const refused = await decide(rule);
    expect(outcomeOf(refused)).toEqual([422, 'INVALID_FIELD']);
    expect(refused.text).toContain('proxy: true');
    const decided = await decide({ ...rule, proxy: true });
    expect([decided.status, decided.body['outcome'], 'seq' in decided.body]).toEqual([200, 'approved', false]);
    expect(await edge.bus.rules.readFor(parent)).toMatchObject([{ scope: 'session', sessionId: parent.sessionId }]);
    expect(await edge.bus.rules.readFor(child)).toEqual([]);
    const audit = await askRest(edge.gateway, 'GET', `/audit?session_id=${parent.sessionId}`);
    expect(audit.body['entries']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ session_id: parent.sessionId, call_id: 'call_q', outcome: 'approved', origin: 'proxy' }),
      ]),
    );
    const listed = (await askRest(edge.gateway, 'GET', '/sessions')).body['sessions'] as readonly { readonly session_id: string }[];
    expect(listed.map(({ session_id }) => session_id)).not.toContain(child.sessionId);
  },
);

test(
  verifies('H1:child-server-call', 'a call that llm-proxy runs comes to clients to be decided, and only llm-proxy answers it'),
  async () => {
    const parent = newSession();
    const executor = await join(parent, 'c1');
    const seed = await connect(parent);
    seed.send({ type: 'queue_remove', message_id: 'none' });
    const child = await begin(parent);
    await call(child, { callId: 'call_ready', tool: 'lookup', more: SERVER });
    await call(child, { callId: 'call_s', tool: 'lookup', asks: true, idempotency: 'unsafe', more: SERVER });
    expect(await executor.next('tool_call')).toMatchObject({ call_id: 'call_s', runs_at: 'server', state: 'waiting_approval' });
    for (const callId of ['call_s', 'call_ready']) {
      executor.send(result(callId));
      expect(await executor.next('error')).toMatchObject({ code: 'FORBIDDEN', reply_to: callId });
    }
    executor.send(approve('call_s'));
    expect(await executor.next('approval_resolved')).toMatchObject({ call_id: 'call_s', outcome: 'approved' });
    const settled = await edge.bus.store.settleCall(child, {
      ...{ callId: 'call_s', clientId: SERVER_EXECUTOR, connection: 'proxy', frame: JSON.stringify(result('call_s')) },
    });
    expect(settled).toMatchObject({ outcome: 'accepted' });
    await seed.settle();
    expect([executor.ofType('tool_call').length, seed.ofType('tool_call').length]).toEqual([1, 0]);
    const impostor = await connect(parent);
    impostor.send(hello(SERVER_EXECUTOR));
    expect(await impostor.next('error')).toMatchObject({ code: 'INVALID_FIELD' });
  },
);

test('a client without identity runs what programs ask for, and decides it by its answer', async () => {
  const parent = newSession();
  const seed = await connect(parent);
  seed.send({ type: 'user_message', content: 'hello' });
  await eventually('the seed client joined', async () => (await edge.bus.store.readMeta(parent))?.executor === 'seed');
  const child = await begin(parent);
  await call(child, { callId: 'call_seed', ...WRITE });
  expect(await seed.next('tool_call')).toMatchObject({ call_id: 'call_seed', origin: 'proxy' });
  seed.send({ type: 'tool_result', call_id: 'call_seed', result: { success: true } });
  await eventually('the answer is there', async () => (await edge.bus.store.readCalls(child.sid))[0]?.state === 'answered');
});

test('the session is named as connected while some gateway has its executor', async () => {
  const parent = newSession();
  const isConnected = async (): Promise<boolean> =>
    (await edge.bus.children.connected(parent.owner)).some(({ ref }) => ref.sessionId === parent.sessionId);
  const viewer = await join(parent, 'c0', { tools: [] });
  expect(await isConnected()).toBe(false);
  const one = await join(parent, 'c1');
  await eventually('it is there', isConnected);
  const other = await join(parent, 'c1', {}, edge.other);
  await one.close();
  await viewer.settle();
  expect(await isConnected()).toBe(true);
  await other.close();
  await eventually('it is gone', async () => !(await isConnected()));
});

test('what a program does is over with its session', async () => {
  const parent = newSession();
  const executor = await join(parent, 'c1');
  const child = await begin(parent);
  await call(child, { callId: 'call_d', ...WRITE });
  await executor.next('tool_call');
  expect((await askRest(edge.other, 'DELETE', `/sessions/${parent.sessionId}`)).status).toBe(204);
  expect(await edge.bus.store.readMeta(child)).toBeUndefined();
});
