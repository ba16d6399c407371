import { expect, test, vi } from 'vitest';
import { argsDigest } from '@codelab/tools';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import { hello, type Frame, type FrameClient } from './__fixtures__/frame-client.js';
import { useGateways } from './__fixtures__/use-gateways.js';

const edge = useGateways(startRedis, { other: {} });
const { newSession, connect, join } = edge;

const WRITE = { tool: 'write_file', args: '{"path":"a.txt","content":"x"}', idempotency: 'unsafe' } as const;

const welcomeOf = (client: FrameClient): Frame => client.ofType('welcome')[0]!;
const result = (callId: string, fields: object = {}): Frame => ({ type: 'tool_result', call_id: callId, result: { ok: true }, ...fields });

test(verifies('R2:one-executor', 'the first client that declares tools executes, the others observe'), async () => {
  const session = newSession();
  const observer = await join(session, 'c0', { tools: [] });
  expect(welcomeOf(observer)).toMatchObject({ executor: 'none' });
  const executor = await join(session, 'c1');
  const other = await join(session, 'c2', {}, edge.other);
  expect(welcomeOf(executor)).toMatchObject({ executor: 'you' });
  expect(welcomeOf(other)).toMatchObject({ executor: 'other' });
});

test(
  verifies('R2:only-executor-answers', 'tool_result, tool_ack, tool_preview and tool_output of anyone but the executor are FORBIDDEN'),
  async () => {
    const session = newSession();
    const executor = await join(session, 'c1');
    const other = await join(session, 'c2', {}, edge.other);
    const seed = await connect(session);
    await edge.runtime.call(session, { callId: 'call_1' });
    const evidence = [
      result('call_1'),
      { type: 'tool_ack', call_id: 'call_1', fence: 1, state: 'started' },
      { type: 'tool_preview', call_id: 'call_1', preview: { kind: 'text', text: 'x' } },
      { type: 'tool_output', call_id: 'call_1', stream: 'stdout', offset: 0, data: 'x' },
    ];
    for (const client of [other, seed]) {
      for (const frame of evidence) {
        client.send(frame);
        expect(await client.next('error')).toMatchObject({ code: 'FORBIDDEN', reply_to: 'call_1', reply_to_type: frame.type });
      }
    }
    executor.send({ type: 'tool_ack', call_id: 'call_1', fence: 1, state: 'started' });
    executor.send(result('call_1', { fence: 1 }));
    expect(await executor.next('tool_result_ack')).toMatchObject({ call_id: 'call_1', outcome: 'accepted' });
    executor.send(result('call_1', { fence: 1 }));
    expect(await executor.next('tool_result_ack')).toMatchObject({ outcome: 'duplicate' });
    executor.send(result('call_9'));
    expect(await executor.next('error')).toMatchObject({ code: 'UNKNOWN_CALL', reply_to: 'call_9' });
    expect(executor.ofType('error')).toHaveLength(1);
  },
);

test(
  verifies('G2:reply-to-type', 'an error about evidence says so: it is not taken for the answer to the result of the same call'),
  async () => {
    const session = newSession();
    const executor = await join(session, 'c1');
    executor.send({ type: 'tool_ack', call_id: 'call_9', fence: 1, state: 'received' });
    executor.send({ type: 'tool_preview', call_id: 'call_9', preview: { kind: 'text', text: 'x' } });
    executor.send(result('call_9'));
    executor.send({ type: 'switch_agent', agent: 'nobody' });
    executor.send(hello('c1'));
    const types = ['tool_ack', 'tool_preview', 'tool_result', 'switch_agent', 'hello'];
    for (const reply_to_type of types) expect(await executor.next('error')).toMatchObject({ reply_to_type });
    expect(executor.ofType('error').slice(0, 3)).toMatchObject(Array(3).fill({ code: 'UNKNOWN_CALL', reply_to: 'call_9' }));
  },
);

test(
  verifies('R2:fence-ahead', 'a result for an assignment that the call does not have is INVALID_FIELD, and the call waits on'),
  async () => {
    const session = newSession();
    const executor = await join(session, 'c1');
    await edge.runtime.call(session, { callId: 'call_1' });
    await executor.next('tool_call');
    executor.send(result('call_1', { fence: 2 }));
    const refused = {
      code: 'INVALID_FIELD',
      reply_to: 'call_1',
      reply_to_type: 'tool_result',
      message: expect.stringContaining('fence') as unknown,
    };
    expect(await executor.next('error')).toMatchObject(refused);
    executor.send(result('call_1', { fence: 1 }));
    expect(await executor.next('tool_result_ack')).toMatchObject({ outcome: 'accepted' });
  },
);

test(
  verifies(
    'H3:own-words',
    'what only servers say is not taken from an executor by that name; its result stands, and names the word it used',
  ),
  async () => {
    const session = newSession();
    const executor = await join(session, 'c1');
    const say = async (callId: string, code: string): Promise<unknown> => {
      await edge.runtime.call(session, { callId });
      executor.send({ type: 'tool_result', call_id: callId, fence: 1, error: { code, message: 'no' } });
      expect(await executor.next('tool_result_ack')).toMatchObject({ call_id: callId, outcome: 'accepted' });
      const record = (await edge.bus.store.readCalls(session.sid)).find((call) => call.callId === callId);
      return (JSON.parse(record!.result!) as { readonly error: unknown }).error;
    };
    for (const code of ['DENIED_BY_USER', 'APPROVAL_TIMED_OUT', 'CLIENT_DISCONNECTED']) {
      expect(await say(`call_${code}`, code)).toEqual({ code: 'PERMISSION_DENIED', message: `The client says ${code}: no` });
    }
    expect(await say('call_p', 'DENIED_BY_POLICY')).toEqual({ code: 'DENIED_BY_POLICY', message: "The client's own policy: no" });
    expect(await say('call_u', 'OUTCOME_UNKNOWN')).toEqual({ code: 'OUTCOME_UNKNOWN', message: 'no' });
  },
);

test(verifies('S1:same-name', 'the same session id of two owners is two sessions'), async () => {
  const session = newSession();
  const hers = await join(session, 'c1');
  const his = await connect(session, edge.gateway, 'bob-token');
  his.send(hello('c1'));
  expect(await his.next('welcome')).toMatchObject({ executor: 'you', snapshot: { history: [], open_calls: [] } });
  await edge.runtime.call(session, { callId: 'call_1' });
  await hers.next('tool_call');
  his.send(result('call_1'));
  expect(await his.next('error')).toMatchObject({ code: 'UNKNOWN_CALL' });
  his.send({ type: 'hitl_decision', call_id: 'call_1', decision: 'approve' });
  expect(await his.next('error')).toMatchObject({ code: 'UNKNOWN_CALL' });
  expect(his.ofType('tool_call')).toEqual([]);
});

test(
  verifies('R2:newest-connection', 'calls of a client go to its newest connection, on any gateway, and to the next one when that is gone'),
  async () => {
    const session = newSession();
    const older = await join(session, 'c1');
    const newer = await join(session, 'c1', {}, edge.other);
    expect(welcomeOf(newer)).toMatchObject({ executor: 'you' });
    const idsOf = (client: FrameClient) => client.ofType('tool_call').map(({ call_id }) => call_id);
    /** Opens a call, and a frame for everybody after it: whoever has that one has got the call, or never will. */
    const open = async (callId: string): Promise<void> => {
      const text = { type: 'assistant_message', message_id: callId, token: 'x', is_final: false };
      await edge.runtime.call(session, { callId });
      await edge.runtime.say(session, text);
      for (const client of [older, newer]) while ((await client.next('assistant_message'))['message_id'] !== callId);
    };
    let probes = 0;
    await eventually('the notice', async () => {
      await open(`probe_${String((probes += 1))}`);
      return !idsOf(older).includes(`probe_${String(probes)}`);
    });
    await open('call_1');
    expect([older, newer].map((client) => idsOf(client).includes('call_1'))).toEqual([false, true]);
    older.send(result('call_1', { fence: 1 })); // answers count from any
    expect(await older.next('tool_result_ack')).toMatchObject({ outcome: 'accepted' });
    await edge.runtime.call(session, { callId: 'call_2' });
    await newer.close();
    const again = await eventually('the call', () => older.received.find((frame) => frame['call_id'] === 'call_2'));
    expect(again).toMatchObject({ type: 'tool_call', redelivered: true, state: 'ready' });
  },
);

test(
  verifies(
    'R2:executor-moves',
    'a human moves the executor: every client that said hello hears of it, an undecided call comes to the new one',
  ),
  async () => {
    const session = newSession();
    const old = await join(session, 'c1');
    const next = await join(session, 'c2', {}, edge.other);
    const watcher = await join(session, 'c3', { tools: [] });
    const seed = await connect(session);
    await edge.runtime.call(session, { callId: 'call_1', ...WRITE, asks: true });
    await next.next('tool_call');
    const response = await fetch(`${edge.gateway.url}/api/v1/sessions/${session.sessionId}/executor`, {
      method: 'POST',
      headers: { authorization: 'Bearer alice-token' },
      body: '{"client_id":"c2"}',
    });
    expect([response.status, await response.json()]).toMatchObject([200, { executor: 'c2' }]);
    expect(await next.next('executor_changed')).toEqual({ type: 'executor_changed', executor: 'you' });
    expect(await old.next('executor_changed')).toEqual({ type: 'executor_changed', executor: 'other' });
    expect(await watcher.next('executor_changed')).toEqual({ type: 'executor_changed', executor: 'other' });
    await seed.settle();
    expect(seed.ofType('executor_changed')).toEqual([]);
    expect(await next.next('tool_call')).toMatchObject({ call_id: 'call_1', redelivered: true, state: 'waiting_approval' });
    await eventually('its tools', async () => (await edge.bus.store.readMeta(session))?.executorTools !== '');
    next.send({ type: 'hitl_decision', call_id: 'call_1', decision: 'approve' });
    await next.next('approval_resolved');
    next.send(result('call_1', { fence: 1 }));
    expect(await next.next('tool_result_ack')).toMatchObject({ outcome: 'accepted' });
  },
);

test(
  verifies('R4:executor-unheard', 'an executor whose move was signalled to nobody hears of it all the same, and is given the open calls'),
  async () => {
    const session = newSession();
    const old = await join(session, 'c1');
    const next = await join(session, 'c2', {}, edge.other);
    await edge.runtime.call(session, { callId: 'call_1' });
    await next.next('tool_call');
    await edge.redis.client.hset(`cl:{${session.sid}}:meta`, 'executor', 'c2'); // as a script does, but for its signal
    expect(await old.next('executor_changed')).toMatchObject({ executor: 'other' });
    expect(await next.next('executor_changed')).toMatchObject({ executor: 'you' });
    const { fence } = await next.next('tool_call');
    next.send(result('call_1', { fence }));
    expect(await next.next('tool_result_ack')).toMatchObject({ outcome: 'accepted' });
  },
);

test(
  verifies('R2:decided-elsewhere', 'a former executor hears of a decision as well, and not before it has heard that another executes'),
  async () => {
    const session = newSession();
    const old = await join(session, 'c1');
    const next = await join(session, 'c2', {}, edge.other);
    await edge.runtime.call(session, { callId: 'call_1', ...WRITE, asks: true });
    for (const client of [old, next]) await client.next('tool_call');
    await edge.redis.client.hset(`cl:{${session.sid}}:meta`, 'executor', 'c2'); // as a script does, but for its signal
    old.send({ type: 'hitl_decision', call_id: 'call_1', decision: 'approve' });
    await next.next('approval_resolved');
    expect(await old.next('approval_resolved')).toMatchObject({ call_id: 'call_1', outcome: 'approved' });
    const types = old.received.map(({ type }) => type);
    expect(types.indexOf('executor_changed')).toBeGreaterThan(0);
    expect(types.indexOf('executor_changed')).toBeLessThan(types.indexOf('approval_resolved'));
  },
);

test(
  verifies('R4:time-set', 'a decision is dated by the store’s clock, which runtimes go by, wherever the time of its gateway is'),
  async () => {
    const session = newSession();
    const client = await join(session, 'c1');
    await edge.runtime.call(session, { callId: 'call_1', ...WRITE, asks: true });
    await client.next('tool_call');
    const real = Date.now;
    const time = vi.spyOn(Date, 'now').mockImplementation(() => real() + 3_600_000);
    try {
      client.send({ type: 'hitl_decision', call_id: 'call_1', decision: 'approve' });
      expect((await client.next('approval_resolved'))['at_ms']).toBeLessThan(real() + 60_000);
    } finally {
      time.mockRestore();
    }
  },
);

test(verifies('H3:preview-failed', 'other clients are told with which error a preview failed, without its secrets'), async () => {
  const session = newSession();
  const executor = await join(session, 'c1');
  const watcher = await join(session, 'c2', { tools: [] });
  await edge.runtime.call(session, { callId: 'call_1', ...WRITE, asks: true });
  const { fence } = await executor.next('tool_call');
  const token = ['ghp', '0123456789abcdefghijABCDEFGHIJ012345'].join('_'); // whole, no source holds one
  const error = { code: 'FILE_NOT_FOUND', message: `File not found: ${token}` };
  executor.send({ type: 'tool_result', call_id: 'call_1', fence, error, preview_failed: true });
  const told = await watcher.next('approval_resolved');
  expect(told).toMatchObject({ call_id: 'call_1', outcome: 'cancelled', by: 'executor', error: { code: 'FILE_NOT_FOUND' } });
  expect(JSON.stringify(told)).toMatch(/File not found: (?!ghp_0123)/);
});

test(
  verifies('R4:succession', 'an executor that leaves hands its open question to the next client that declared tools, on any gateway'),
  async () => {
    const session = newSession();
    const gone = await join(session, 'c1');
    const gateway = await edge.another({ executorGraceMs: 100 });
    const watcher = await join(session, 'c3', { tools: [] }, gateway);
    const next = await join(session, 'c2', {}, gateway);
    expect(welcomeOf(next)).toMatchObject({ executor: 'other' });
    await edge.runtime.call(session, { callId: 'call_1', ...WRITE, asks: true });
    await gone.next('tool_call');
    gone.send({ type: 'tool_preview', call_id: 'call_1', preview: { kind: 'diff', text: 'of its own files' } });
    await next.next('approval_updated');
    await gone.close();
    expect(await next.next('executor_changed')).toMatchObject({ executor: 'you' });
    expect(await watcher.next('executor_changed')).toMatchObject({ executor: 'other' });
    expect(await next.next('tool_call')).toMatchObject({ call_id: 'call_1', redelivered: true, state: 'waiting_approval', fence: 1 });
    expect(await edge.ask('GET', `/sessions/${session.sessionId}/pending-approvals`)).toMatchObject({
      body: { approvals: [expect.not.objectContaining({ preview: expect.anything() as unknown })] },
    });
    const back = await join(session, 'c1');
    expect(welcomeOf(back)).toMatchObject({ executor: 'other' });
    watcher.send({ type: 'hitl_decision', call_id: 'call_1', decision: 'approve' });
    await next.next('approval_resolved');
    back.send(result('call_1', { fence: 1 }));
    expect(await back.next('error')).toMatchObject({ code: 'FORBIDDEN' });
    next.send(result('call_1', { fence: 1 }));
    expect(await next.next('tool_result_ack')).toMatchObject({ outcome: 'accepted' });
  },
);

test(
  verifies('R2:successor-waits', 'an executor that may still run a call keeps its session, though another would follow it'),
  async () => {
    const session = newSession();
    const executor = await join(session, 'c1');
    await join(session, 'c2');
    const follow = () =>
      edge.bus.store.join(session, { clientId: 'c2', tools: '["read_file"]', protocolVersion: '2.0', succeeds: 'c1' }, { create: false });
    await edge.runtime.call(session, { callId: 'call_1', ...WRITE });
    await executor.next('tool_call');
    expect(await follow()).toMatchObject({ executor: 'c1' });
    executor.send(result('call_1', { fence: 1 }));
    await executor.next('tool_result_ack');
    expect(await follow()).toMatchObject({ executor: 'c2' });
    expect(
      await edge.bus.store.join(session, { clientId: 'c4', tools: '[]', protocolVersion: '2.0', succeeds: 'c1' }, { create: false }),
    ).toMatchObject({
      executor: 'c2',
    });
  },
);

test(verifies('R2:unsafe-stays', 'an unsafe call that was written to one client is not given to another'), async () => {
  const session = newSession();
  const old = await join(session, 'c1');
  await edge.runtime.call(session, { callId: 'call_1', ...WRITE });
  await old.next('tool_call');
  await edge.bus.store.moveExecutor(session, 'c2');
  const next = await join(session, 'c2');
  await next.settle();
  expect(next.ofType('tool_call')).toEqual([]);
  next.send(result('call_1', { fence: 1 }));
  expect(await next.next('error')).toMatchObject({ code: 'FORBIDDEN' });
  old.send(result('call_1', { fence: 1 }));
  expect(await old.next('tool_result_ack')).toMatchObject({ outcome: 'accepted' });
});

test(verifies('H1:undecided', 'a client that said hello can not answer a call that nobody decided'), async () => {
  const session = newSession();
  const client = await join(session, 'c1');
  await edge.runtime.call(session, { callId: 'call_1', ...WRITE, asks: true });
  await client.next('tool_call');
  client.send(result('call_1', { fence: 1 }));
  expect(await client.next('error')).toMatchObject({ code: 'FORBIDDEN', reply_to: 'call_1' });
});

test(
  verifies('H2:decision', 'a decision is bound to its call: answered once, in its place, to every client; a second one changes nothing'),
  async () => {
    const session = newSession();
    const executor = await join(session, 'c1');
    const approver = await join(session, 'c2', { tools: [] }, edge.other);
    await edge.runtime.call(session, { callId: 'call_1', ...WRITE, asks: true });
    const { args_sha256: digest } = await approver.next('tool_call');
    executor.send({
      type: 'tool_preview',
      call_id: 'call_1',
      preview: { kind: 'diff', text: '+x' },
      operands: [{ path: 'a.txt', sha256: '' }],
    });
    expect(await approver.next('approval_updated')).toMatchObject({ call_id: 'call_1', preview: { kind: 'diff' } });
    approver.send({ type: 'hitl_decision', call_id: 'call_1', decision: 'approve', args_sha256: '0'.repeat(64) });
    expect(await approver.next('error')).toMatchObject({ code: 'DIGEST_MISMATCH', reply_to: 'call_1' });
    approver.send({ type: 'hitl_decision', call_id: 'call_1', decision: 'approve', question: 2 });
    expect(await approver.next('error')).toMatchObject({ code: 'DIGEST_MISMATCH', reply_to: 'call_1' });
    approver.send({ type: 'hitl_decision', call_id: 'call_1', decision: 'approve', args_sha256: digest, question: 1, feedback: 'go' });
    const resolved = await approver.next('approval_resolved');
    expect(resolved).toMatchObject({ call_id: 'call_1', outcome: 'approved', args_sha256: digest, by: 'alice', feedback: 'go', seq: 3 });
    expect(await executor.next('approval_resolved')).toEqual(resolved);
    approver.send({ type: 'hitl_decision', call_id: 'call_1', decision: 'reject' });
    expect(await approver.next('error')).toMatchObject({ code: 'ALREADY_RESOLVED' });
    approver.send({ type: 'hitl_decision', call_id: 'call_9', decision: 'reject' });
    expect(await approver.next('error')).toMatchObject({ code: 'UNKNOWN_CALL' });
    await Promise.all([approver.settle(), executor.settle()]);
    expect([approver.ofType('approval_resolved'), executor.ofType('approval_resolved')].map(({ length }) => length)).toEqual([1, 1]);
  },
);

test(verifies('H2:edited', 'edited arguments are validated, judged again, and run byte for byte as they were written'), async () => {
  const session = newSession();
  const client = await join(session, 'c1', { agent: 'architect' });
  await edge.runtime.call(session, { callId: 'call_1', ...WRITE, args: '{"path":"a.md","content":"x"}', asks: true });
  await client.next('tool_call');
  const edit = (args: string): void => client.send(`{"type":"hitl_decision","call_id":"call_1","decision":"edit","modified_args":${args}}`);
  edit('{"path":1,"content":"x"}');
  expect(await client.next('error')).toMatchObject({ code: 'INVALID_ARGUMENTS', reply_to: 'call_1' });
  edit('{"path":"a.ts","content":"x"}');
  expect(await client.next('error')).toMatchObject({ code: 'DENIED_BY_POLICY', message: expect.stringContaining('architect') });
  const args = '{"content":"\\u2028 é","path": "b.md"}';
  edit(args);
  const resolved = await client.next('approval_resolved');
  expect(resolved).toMatchObject({ outcome: 'edited', args_sha256: argsDigest(JSON.parse(args)) });
  expect(client.texts.at(-1)).toContain(`"args":${args}`);
});

test(verifies('H2:agent-of-turn', 'edited arguments are judged by the agent of the turn, not by that of the session'), async () => {
  const session = newSession();
  const client = await join(session, 'c1');
  const edit = (call: string, args: string): void =>
    client.send(`{"type":"hitl_decision","call_id":"${call}","decision":"edit","modified_args":${args}}`);
  const write = { ...WRITE, args: '{"path":"a.md","content":"x"}', asks: true };
  await edge.runtime.call(session, { callId: 'call_1', ...write, agent: 'architect' });
  edit('call_1', '{"path":"a.js","content":"x"}');
  expect(await client.next('error')).toMatchObject({ code: 'DENIED_BY_POLICY', message: expect.stringContaining('architect') });
  edit('call_1', '{"path":"b.md","content":"x"}');
  expect(await client.next('approval_resolved')).toMatchObject({ outcome: 'edited' });

  await edge.bus.store.patch(session, { agent: 'architect' });
  await edge.runtime.call(session, { callId: 'call_2', ...write, agent: 'coder' });
  edit('call_2', '{"path":"a.js","content":"x"}');
  expect(await client.next('approval_resolved')).toMatchObject({ outcome: 'edited' });
});

test('a turn whose agent was switched judges the edits of calls that wait by the new one', async () => {
  const session = newSession();
  const client = await join(session, 'c1');
  await edge.runtime.call(session, { callId: 'call_1', ...WRITE, args: '{"path":"a.js","content":"x"}', asks: true, agent: 'coder' });
  client.send({ type: 'switch_agent', agent: 'architect' });
  await client.next('agent_switched');
  client.send({ type: 'hitl_decision', call_id: 'call_1', decision: 'edit', modified_args: { path: 'b.js', content: 'x' } });
  expect(await client.next('error')).toMatchObject({ code: 'DENIED_BY_POLICY' });
});

test(
  verifies('H3:policy-reject', 'a rejection for lack of a human is signed by policy, and needs the scope approve like any decision'),
  async () => {
    const session = newSession();
    const client = await join(session, 'c1');
    const narrow = await connect(session, edge.gateway, 'narrow-token');
    narrow.send(hello('c2', { tools: [] }));
    await edge.runtime.call(session, { callId: 'call_1', ...WRITE, asks: true });
    narrow.send({ type: 'hitl_decision', call_id: 'call_1', decision: 'approve' });
    expect(await narrow.next('error')).toMatchObject({ code: 'FORBIDDEN', reply_to: 'call_1' });
    client.send({ type: 'hitl_decision', call_id: 'call_1', decision: 'reject', no_human: true, feedback: 'nobody is here' });
    expect(await client.next('approval_resolved')).toMatchObject({ outcome: 'rejected', by: 'policy' });
    narrow.send(hello('c3', { mode: 'permissive' }));
    const loose = await connect(session, edge.gateway, 'narrow-token');
    loose.send(hello('c3', { mode: 'permissive' }));
    expect(await loose.next('error')).toMatchObject({ code: 'FORBIDDEN' });
  },
);
