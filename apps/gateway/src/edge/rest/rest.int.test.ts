import { expect, test } from 'vitest';
import { startRedis, verifies } from '@codelab/testkit';
import { outcomeOf } from '../__fixtures__/ask-rest.js';
import { startGateway } from '../__fixtures__/start-gateway.js';
import { useGateways } from '../__fixtures__/use-gateways.js';

const edge = useGateways(startRedis, { hello: { workspace: { id: 'w', name: 'repo' } } });
const { newSession, join, ask } = edge;

const WRITE = { tool: 'write_file', args: '{"path":"a","content":"x","n":1e-7}', idempotency: 'unsafe', asks: true } as const;

const outcome = outcomeOf;

test(
  verifies('S1:rest-auth', 'nothing is answered without a token of the scope session, and nothing to a page of another origin'),
  async () => {
    expect(outcome(await ask('GET', '/sessions', { token: '' }))).toEqual([401, 'UNAUTHORIZED']);
    expect(outcome(await ask('GET', '/sessions', { token: 'wrong' }))).toEqual([401, 'TOKEN_INVALID']);
    expect(outcome(await ask('GET', '/sessions?token=alice-token', { token: '' }))).toEqual([400, 'INVALID_FORMAT']);
    expect(outcome(await ask('GET', '/sessions', { token: 'llm-token' }))).toEqual([403, 'FORBIDDEN']);
    expect(outcome(await ask('GET', '/sessions', { headers: { origin: 'https://evil.example' } }))).toEqual([403, 'FORBIDDEN']);
    const preflight = await fetch(`${edge.gateway.url}/api/v1/sessions`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  },
);

test('a session is created, listed, shown, changed and removed', async () => {
  const created = await ask('POST', '/sessions', { body: { title: 'First', agent: 'ask', ignored: true } });
  expect([created.status, created.body]).toMatchObject([201, { title: 'First', agent: 'ask', mode: 'medium', status: 'idle', seq: 0 }]);
  const id = String(created.body['session_id']);
  expect(id).toMatch(/^ses_/);
  expect(outcome(await ask('POST', '/sessions', { body: { session_id: id } }))[0]).toBe(200);
  expect(((await ask('GET', '/sessions')).body['sessions'] as { session_id: string }[]).map(({ session_id }) => session_id)).toContain(id);
  const settings = { title: 'Second', model: 'm', mode: 'strict', client_grace_ms: 5_000, server_side_decisions: true };
  const changed = await ask('PATCH', `/sessions/${id}`, { body: settings });
  expect(changed.body).toMatchObject({ session_id: id, agent: 'ask', ...settings });
  expect(outcome(await ask('PATCH', `/sessions/${id}`, { body: { client_grace_ms: -1 } }))).toEqual([422, 'INVALID_FIELD']);
  expect((await ask('GET', `/sessions/${id}`)).body).toEqual(expect.objectContaining({ title: 'Second' }));
  expect((await ask('DELETE', `/sessions/${id}`)).status).toBe(204);
  expect(outcome(await ask('GET', `/sessions/${id}`))).toEqual([404, 'SESSION_NOT_FOUND']);
  expect(outcome(await ask('DELETE', `/sessions/${id}`))).toEqual([404, 'SESSION_NOT_FOUND']);
});

test('a list comes in parts', async () => {
  for (let index = 0; index < 3; index += 1) await ask('POST', '/sessions', { token: 'bob-token' });
  const first = await ask('GET', '/sessions?limit=2', { token: 'bob-token' });
  expect(first.body).toMatchObject({ sessions: [{}, {}], next_cursor: '2' });
  const rest = await ask('GET', '/sessions?limit=2&cursor=2', { token: 'bob-token' });
  expect(rest.body).toEqual({ sessions: [expect.anything()] });
});

test(verifies('S1:rest-owner', "another's session is not there, on any route"), async () => {
  const session = newSession();
  await join(session);
  await edge.runtime.call(session, { callId: 'call_1', ...WRITE });
  const path = `/sessions/${session.sessionId}`;
  const token = 'bob-token';
  const decision = { call_id: 'call_1', decision: 'approve' };
  for (const reply of [
    await ask('GET', path, { token }),
    await ask('PATCH', path, { token, body: { title: 'x' } }),
    await ask('GET', `${path}/history`, { token }),
    await ask('GET', `${path}/pending-approvals`, { token }),
    await ask('POST', `${path}/decisions`, { token, body: decision }),
    await ask('POST', `${path}/executor`, { token, body: { client_id: 'c2' } }),
    await ask('POST', `${path}/compact`, { token }),
    await ask('POST', `${path}/clear`, { token }),
    await ask('DELETE', path, { token }),
    await ask('GET', '/sessions/never-was', { token }),
    await ask('GET', '/sessions/no..such', { token }),
  ]) {
    expect(outcome(reply)).toEqual([404, 'SESSION_NOT_FOUND']);
  }
});

test.each<[string, string, string, unknown, number, string]>([
  ['text that is not JSON', 'POST', '/sessions', 'nonsense', 400, 'INVALID_FORMAT'],
  ['a list', 'POST', '/sessions', [], 400, 'INVALID_FORMAT'],
  ['a name that can not be', 'POST', '/sessions', { session_id: 'a/b' }, 422, 'INVALID_FIELD'],
  ['an agent that is none', 'POST', '/sessions', { agent: 'wizard' }, 422, 'INVALID_FIELD'],
  ['a title that is a number', 'PATCH', '/sessions/x', { title: 1 }, 422, 'INVALID_FIELD'],
  ['no client_id', 'POST', '/sessions/x/executor', {}, 422, 'MISSING_FIELD'],
  ['no decision', 'POST', '/sessions/x/decisions', '{ }', 422, 'MISSING_FIELD'],
  ['another frame than a decision', 'POST', '/sessions/x/decisions', '{"type":"cancel","call_id":1}', 422, 'MISSING_FIELD'],
  ['a limit of 0', 'GET', '/sessions?limit=0', undefined, 422, 'INVALID_FIELD'],
  ['a cursor that is none', 'GET', '/audit?cursor=x', undefined, 422, 'INVALID_FIELD'],
  ['a route that is not there', 'GET', '/nothing', undefined, 404, 'INVALID_TYPE'],
])('%s is refused with a typed error', async (_, method, path, body, status, code) => {
  const reply = await ask(method, path, { body });
  expect(outcome(reply)).toEqual([status, code]);
  expect(reply.body).toEqual({ error: { code, message: expect.any(String), retryable: false } });
});

test(verifies('R3:compact-command', 'REST asks for a summary or a new beginning as a message would, once for each id'), async () => {
  const id = String((await ask('POST', '/sessions', { body: {} })).body['session_id']);
  const first = await ask('POST', `/sessions/${id}/compact`, { body: { instructions: 'keep the names', message_id: 'm1' } });
  expect([first.status, first.body]).toMatchObject([202, { type: 'message_accepted', message_id: 'm1', state: 'started' }]);
  const again = await ask('POST', `/sessions/${id}/compact`, { body: { instructions: 'keep the names', message_id: 'm1' } });
  expect(again.body['turn_id']).toBe(first.body['turn_id']);
  const next = await ask('POST', `/sessions/${id}/clear`);
  expect([next.status, next.body['state']]).toEqual([202, 'queued']);
  const soon = await ask('POST', `/sessions/${id}/compact`, { body: { message_id: 'm2', when_busy: 'steer' } });
  expect([soon.status, soon.body]).toMatchObject([202, { state: 'steered', turn_id: first.body['turn_id'] }]);
  expect(outcome(await ask('POST', `/sessions/${id}/clear`, { body: { message_id: 1 } }))).toEqual([422, 'INVALID_FIELD']);
});

test('a body over 10 MB is refused with 413', async () => {
  const reply = await ask('POST', '/sessions', { body: 'x'.repeat(10 * 1024 * 1024 + 1) });
  expect(outcome(reply)).toEqual([413, 'FRAME_TOO_LARGE']);
});

test('the history comes from its end, older parts by cursor, items byte for byte', async () => {
  const session = newSession();
  await join(session);
  const items = Array.from({ length: 7 }, (_, index) => `{"role":"note","content":"${String(index)}","n":1e-7,"at_ms":1}`);
  await edge.runtime.commit(session, { history: items });
  const path = `/sessions/${session.sessionId}/history`;
  const last = await ask('GET', `${path}?limit=3`);
  expect(last.text).toBe(`{"items":[${items.slice(4).join(',')}],"total":7,"next_cursor":"4"}`);
  const before = await ask('GET', `${path}?limit=3&cursor=4`);
  expect(before.text).toBe(`{"items":[${items.slice(1, 4).join(',')}],"total":7,"next_cursor":"1"}`);
  expect((await ask('GET', `${path}?cursor=1`)).text).toBe(`{"items":[${items.slice(0, 1).join(',')}],"total":7}`);
  expect((await ask('GET', `${path}?cursor=0`)).text).toBe('{"items":[],"total":7}');
});

test(
  verifies(
    'H3:rest-decision',
    'REST shows the questions that wait and decides them by the same script: the clients hear of it in its place',
  ),
  async () => {
    const session = newSession();
    const client = await join(session);
    await edge.runtime.call(session, { callId: 'call_1', ...WRITE });
    client.send({ type: 'tool_preview', call_id: 'call_1', preview: { kind: 'diff', text: '+x' }, operands: [] });
    await client.next('approval_updated');
    const path = `/sessions/${session.sessionId}`;
    const pending = await ask('GET', `${path}/pending-approvals`);
    expect(pending.text).toContain(WRITE.args);
    expect(pending.body['approvals']).toMatchObject([{ call_id: 'call_1', state: 'waiting_approval', preview: { kind: 'diff' } }]);

    const narrow = { token: 'narrow-token', body: { call_id: 'call_1', decision: 'approve' } };
    expect(outcome(await ask('POST', `${path}/decisions`, narrow))).toEqual([403, 'FORBIDDEN']);
    const wrong = { call_id: 'call_1', decision: 'approve', args_sha256: '0'.repeat(64) };
    expect(outcome(await ask('POST', `${path}/decisions`, { body: wrong }))).toEqual([409, 'DIGEST_MISMATCH']);
    const edit = '{"call_id":"call_1","decision":"edit","modified_args":{"path": "b","content":"\\u00e9"}}';
    const decided = await ask('POST', `${path}/decisions`, { body: edit });
    expect([decided.status, decided.body]).toMatchObject([200, { type: 'approval_resolved', outcome: 'edited', by: 'alice' }]);
    expect(decided.text).toContain('"args":{"path": "b","content":"\\u00e9"}');
    expect(await client.next('approval_resolved')).toEqual(decided.body);
    expect(outcome(await ask('POST', `${path}/decisions`, { body: edit }))).toEqual([409, 'ALREADY_RESOLVED']);
    expect(outcome(await ask('POST', `${path}/decisions`, { body: { call_id: 'nope', decision: 'reject' } }))).toEqual([
      404,
      'UNKNOWN_CALL',
    ]);
    expect((await ask('GET', `${path}/pending-approvals`)).body).toEqual({ approvals: [] });
  },
);

test('the mode of a session, and its executor, are for tokens that may approve', async () => {
  const session = newSession();
  await join(session);
  const token = 'narrow-token';
  const path = `/sessions/${session.sessionId}`;
  expect(outcome(await ask('PATCH', path, { token, body: { mode: 'permissive' } }))).toEqual([403, 'FORBIDDEN']);
  expect(outcome(await ask('PATCH', path, { token, body: { server_side_decisions: false } }))).toEqual([403, 'FORBIDDEN']);
  expect(outcome(await ask('POST', '/sessions', { token, body: { mode: 'permissive' } }))).toEqual([403, 'FORBIDDEN']);
  expect(outcome(await ask('POST', `${path}/executor`, { token, body: { client_id: 'c2' } }))).toEqual([403, 'FORBIDDEN']);
  expect((await ask('PATCH', path, { token, body: { title: 'Mine' } })).body).toMatchObject({
    title: 'Mine',
    executor: 'c1',
    workspace: { id: 'w' },
  });
});

test('agents, audit and rules answer in their shapes', async () => {
  const { body } = await ask('GET', '/agents');
  expect((body['agents'] as { name: string }[]).map(({ name }) => name)).toEqual(['orchestrator', 'coder', 'architect', 'debug', 'ask']);
  expect((await ask('GET', '/audit')).body).toEqual({ entries: expect.any(Array) });
  expect((await ask('GET', '/rules')).body).toEqual({ rules: [] });
  expect((await ask('DELETE', '/rules?rule_id=r1')).body).toEqual({ removed: 0 });
});

test('the OpenAPI document names every route, for anyone', async () => {
  const { status, body } = await ask('GET', '/openapi.json', { token: '' });
  const routes = Object.entries(body['paths'] as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect([status, body['openapi']]).toEqual([200, '3.1.0']);
  expect(routes.sort()).toEqual([
    'DELETE /api/v1/rules',
    'DELETE /api/v1/rules/{rule_id}',
    'DELETE /api/v1/sessions/{session_id}',
    'GET /api/v1/agents',
    'GET /api/v1/approvals',
    'GET /api/v1/audit',
    'GET /api/v1/rules',
    'GET /api/v1/services',
    'GET /api/v1/sessions',
    'GET /api/v1/sessions/{session_id}',
    'GET /api/v1/sessions/{session_id}/agents',
    'GET /api/v1/sessions/{session_id}/calls/{call_id}/images',
    'GET /api/v1/sessions/{session_id}/context',
    'GET /api/v1/sessions/{session_id}/history',
    'GET /api/v1/sessions/{session_id}/pending-approvals',
    'GET /api/v1/sessions/{session_id}/tasks',
    'GET /api/v1/tool-calls',
    'GET /api/v1/tools',
    'GET /api/v1/usage',
    'PATCH /api/v1/sessions/{session_id}',
    'POST /api/v1/rules',
    'POST /api/v1/sessions',
    'POST /api/v1/sessions/{session_id}/clear',
    'POST /api/v1/sessions/{session_id}/compact',
    'POST /api/v1/sessions/{session_id}/decisions',
    'POST /api/v1/sessions/{session_id}/executor',
    'POST /api/v1/sessions/{session_id}/tasks/{call_id}/cancel',
  ]);
});

test('while Redis is away REST says so, and that it is worth another try', async () => {
  const own = await startGateway('unix:/nowhere/redis.sock');
  try {
    const response = await fetch(`${own.url}/api/v1/sessions`, { headers: { authorization: 'Bearer alice-token' } });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toMatchObject({ error: { code: 'UNAVAILABLE', retryable: true } });
  } finally {
    await own.stop();
  }
});

test(
  verifies('S1:images', 'the pictures of a session are there for its owner, and the conversation and the snapshot only name them'),
  async () => {
    const session = newSession();
    await join(session);
    const image = {
      media_type: 'image/png',
      data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
    };
    const item = {
      role: 'tool',
      turn_id: 't',
      call_id: 'call_drawn',
      tool_name: 'kernel.execute',
      content: 'drawn',
      is_error: false,
      images: [image],
      at_ms: 1,
    };
    await edge.runtime.commit(session, { history: [JSON.stringify(item)] });
    const path = `/sessions/${session.sessionId}`;
    expect((await ask('GET', `${path}/calls/call_drawn/images`)).body).toEqual({ images: [image] });
    expect(outcome(await ask('GET', `${path}/calls/call_other/images`))).toEqual([404, 'UNKNOWN_CALL']);
    expect(outcome(await ask('GET', `${path}/calls/call_drawn/images`, { token: 'bob-token' }))).toEqual([404, 'SESSION_NOT_FOUND']);
    const named = { ...item, images: [{ media_type: 'image/png', bytes: 68 }] };
    expect((await ask('GET', `${path}/history`)).body).toMatchObject({ items: [named] });
    const watcher = await edge.connect(session);
    watcher.send({ type: 'hello', protocol_versions: ['2.0'], client_id: 'watcher' });
    expect(await watcher.next('welcome')).toMatchObject({ snapshot: { history: [named] } });
  },
);
