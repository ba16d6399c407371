import { expect, test } from 'vitest';
import { newId } from '@codelab/bus';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import { outcomeOf, type Reply } from '../../__fixtures__/ask-rest.js';
import { useGateways } from '../../__fixtures__/use-gateways.js';

const edge = useGateways(startRedis, { hello: { workspace: { id: 'w', name: 'repo' } } });
const { newSession, join, ask } = edge;

const WRITE = { tool: 'write_file', args: '{"path":"a","content":"x","n":1e-7}', idempotency: 'unsafe', asks: true } as const;

const listed = (reply: Reply, name: string): Record<string, unknown>[] => reply.body[name] as Record<string, unknown>[];

test(
  verifies(
    'H1:inbox',
    'the questions of all sessions of a person stand in one list, with what is known of their sessions, and nobody else’s',
  ),
  async () => {
    const [one, other] = [newSession(), newSession()];
    await join(one);
    await join(other, 'c2');
    for (const session of [one, other]) {
      await edge.bus.store.patch(session, { title: `title of ${session.sessionId}` });
      await edge.bus.store.deliverMessage(session, {
        messageId: newId('msg'),
        turnId: newId('turn'),
        frame: '{}',
        summary: '{}',
        whenBusy: 'enqueue',
      });
      await edge.runtime.call(session, { callId: `call_${session.sessionId}`, ...WRITE });
    }
    const reply = await ask('GET', '/approvals');
    const found = listed(reply, 'approvals').filter(({ session_id: id }) => id === one.sessionId || id === other.sessionId);
    expect(found).toHaveLength(2);
    expect(found).toContainEqual(
      expect.objectContaining({
        ...{ session_id: one.sessionId, title: `title of ${one.sessionId}`, workspace: { id: 'w', name: 'repo' }, session_agent: 'coder' },
        ...{ executor_connected: true, call_id: `call_${one.sessionId}`, tool_name: 'write_file', state: 'waiting_approval' },
        args_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      }),
    );
    expect(reply.text).toContain('"n":1e-7'); // arguments keep their bytes
    expect((await ask('GET', '/approvals', { token: 'bob-token' })).body).toEqual({ revision: expect.any(String), approvals: [] });
  },
);

test(
  verifies('G2:inbox-change', 'who waits for a change of the inbox is answered when there is one, or after the time that was asked for'),
  async () => {
    const session = newSession();
    await join(session);
    await edge.bus.store.deliverMessage(session, {
      messageId: newId('msg'),
      turnId: newId('turn'),
      frame: '{}',
      summary: '{}',
      whenBusy: 'enqueue',
    });
    const { revision } = (await ask('GET', '/approvals')).body;
    const unchanged = await ask('GET', `/approvals?since=${String(revision)}&wait_ms=50`);
    expect(unchanged.body['revision']).toBe(revision);
    const waiting = Promise.all([1, 2].map(() => ask('GET', `/approvals?since=${String(revision)}&wait_ms=20000`)));
    await edge.runtime.call(session, { callId: 'call_later', ...WRITE });
    for (const reply of await waiting) {
      expect(reply.body['revision']).not.toBe(revision);
      expect(listed(reply, 'approvals').map(({ call_id: id }) => id)).toContain('call_later');
    }
    expect(outcomeOf(await ask('GET', '/approvals?wait_ms=99999'))).toEqual([422, 'INVALID_FIELD']);
  },
);

test('who waits for the inbox does not keep a gateway that stops', async () => {
  const gateway = await edge.another();
  const url = `${gateway.url}/api/v1/approvals`;
  const headers = { authorization: 'Bearer bob-token' };
  const { revision } = (await (await fetch(url, { headers })).json()) as { revision: string };
  const waiting = fetch(`${url}?since=${revision}&wait_ms=30000`, { headers }).then(
    ({ status }) => status,
    () => undefined, // it stopped before the request was there
  );
  await eventually('the request', () => gateway.context.sockets.size === 0);
  const startedMs = Date.now();
  await gateway.stop();
  expect(Date.now() - startedMs).toBeLessThan(5_000);
  expect([200, undefined]).toContain(await waiting);
});

test(verifies('S1:usage', 'what was used, and which tools were called, is shown to the one whose token it was'), async () => {
  const owner = { tenant: 'acme', sub: 'alice' };
  const counts = { requests: 1, estimatedRequests: 0, cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  for (const [model, sessionId] of [
    ['m1', 's1'],
    ['m1', 's2'],
    ['m2', 's1'],
  ] as const)
    edge.bus.ledger.settle(owner, { used: { ...counts, model, sessionId, inputTokens: 10, outputTokens: 5, costUsd: 0.1 } });
  const call = {
    callId: 'call_1',
    tool: 'tides',
    model: 'm1',
    round: 1,
    source: 'http',
    outcome: 'ok',
    startedAtMs: 1,
    durationMs: 2,
  } as const;
  edge.bus.toolCalls.record(owner, { ...call, bytesIn: 3, bytesOut: 4 });
  await Promise.all([edge.bus.ledger.flush(), edge.bus.toolCalls.flush()]);
  const day = new Date().toISOString().slice(0, 10);
  const byModel = await ask('GET', `/usage?from=${day}&to=${day}`);
  expect(byModel.body).toMatchObject({
    from: day,
    to: day,
    rows: [{ model: 'm1', requests: 2, input_tokens: 20, cost_usd: 0.2 }, { model: 'm2' }],
  });
  expect(listed(byModel, 'rows')[0]).toMatchObject({ day, key: 'acme/alice' });
  expect(listed(await ask('GET', '/usage?group_by=session'), 'rows')).toMatchObject([
    { session_id: 's1', requests: 2 },
    { session_id: 's2' },
  ]);
  expect(listed(await ask('GET', '/usage', { token: 'bob-token' }), 'rows')).toEqual([]);
  const calls = await ask('GET', '/tool-calls?tool=tides');
  expect(calls.body).toEqual({ tool_calls: [expect.objectContaining({ call_id: 'call_1', started_at_ms: 1, bytes_out: 4 })] });
  expect((await ask('GET', '/tool-calls', { token: 'bob-token' })).body).toEqual({ tool_calls: [] });
  for (const path of [
    '/usage?from=2026-13-01',
    '/usage?from=2026-02-30',
    '/usage?from=2020-01-01&to=2026-01-01',
    '/usage?group_by=x',
    '/tool-calls?cursor=x',
  ])
    expect([path, ...outcomeOf(await ask('GET', path))]).toEqual([path, 422, 'INVALID_FIELD']);
});

test(
  verifies('S1:tools', 'the tools of the servers are shown to those who may call them, and those of an executor to its owner'),
  async () => {
    const tool = { description: 'd', inputSchema: { type: 'object' }, access: 'write', tags: [] } as const;
    await edge.bus.publishedTools.publish([
      { ...tool, name: 'mcp__docs__find', source: 'mcp', uri: 'mcp://docs/find' },
      { ...tool, name: 'tides', source: 'http', tenants: ['other'] },
    ]);
    const session = newSession();
    await join(session, 'c1', { tools: ['read_file', { name: 'mcp__mine__go', description: 'goes', input_schema: { type: 'object' } }] });
    const all = await ask('GET', `/tools?session_id=${session.sessionId}`);
    const names = listed(all, 'tools').map(({ name, source }) => `${String(source)} ${String(name)}`);
    expect(names).toEqual(expect.arrayContaining(['builtin read_file', 'mcp mcp__docs__find', 'client mcp__mine__go']));
    expect(names).not.toContain('http tides');
    expect(all.body['servers']).toEqual([
      { name: 'docs', where: 'server', state: 'connected', tools: 1 },
      { name: 'mine', where: 'client', state: 'connected', tools: 1 },
    ]);
    expect(outcomeOf(await ask('GET', `/tools?session_id=${session.sessionId}`, { token: 'bob-token' }))).toEqual([
      404,
      'SESSION_NOT_FOUND',
    ]);
  },
);

test(
  verifies('L1:services', 'the services tell how they are and, to those who run them, what they were set to, and never a secret'),
  async () => {
    const reply = await eventually('the report', async () => {
      const asked = await ask('GET', '/services', { token: 'operator-token' });
      return listed(asked, 'services').length > 0 ? asked : undefined;
    });
    const [gateway] = listed(reply, 'services');
    expect(gateway).toMatchObject({
      service: 'gateway',
      version: '0.1.0',
      waiting_for: [],
      numbers: { codelab_gateway_connections: expect.any(Number) },
    });
    const settings = gateway!['settings'] as Record<string, unknown>[];
    expect(settings).toContainEqual(expect.objectContaining({ name: 'GATEWAY_PING_INTERVAL_MS', value: '20000', is_set: true }));
    const tokens = settings.find(({ name }) => name === 'CODELAB_TOKENS');
    expect(tokens).toEqual({ name: 'CODELAB_TOKENS', meaning: expect.any(String), secret: true, is_set: true });
    expect(reply.text).not.toContain('alice-token');
    expect(reply.text).not.toContain(edge.redis.url);
    expect(reply.body['queues']).toEqual(expect.any(Array));
    const others = await ask('GET', '/services');
    expect(listed(others, 'services')[0]).toMatchObject({ service: 'gateway', numbers: expect.any(Object) });
    expect(others.text).not.toContain('settings');
    expect(others.text).not.toContain('GATEWAY_PING_INTERVAL_MS');
  },
);

test('sessions are found by words, status and agent, in parts', async () => {
  const token = 'bob-token';
  for (const [title, agent] of [
    ['Mend the tide table', 'coder'],
    ['Read the tide table', 'ask'],
    ['Something else', 'ask'],
  ])
    await ask('POST', '/sessions', { token, body: { title, agent } });
  const titles = async (query: string) => listed(await ask('GET', `/sessions?${query}`, { token }), 'sessions').map(({ title }) => title);
  expect(await titles('query=TABLE+tide')).toEqual(['Read the tide table', 'Mend the tide table']);
  expect(await titles('query=table&agent=coder')).toEqual(['Mend the tide table']);
  expect(await titles('status=running')).toEqual([]);
  const first = await ask('GET', '/sessions?query=table&limit=1', { token });
  expect(first.body).toMatchObject({ sessions: [{ title: 'Read the tide table', executor_connected: false }], next_cursor: '2' });
  expect(await titles('query=table&limit=1&cursor=2')).toEqual(['Mend the tide table']);
  expect(outcomeOf(await ask('GET', '/sessions?status=asleep'))).toEqual([422, 'INVALID_FIELD']);
});
