import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { NARROW, startProxy, TOKEN, type TestProxy } from '../__fixtures__/start-proxy.js';

const ORIGIN = 'https://codelab.example.com';
const MAX_BODY_BYTES = 4_096;
const CHAT = { model: 'offline', messages: [{ role: 'user', content: 'hi' }] };
const MESSAGES = { model: 'offline', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };

/** Each endpoint that asks a model, with a request that it answers. */
const ENDPOINTS = [
  ['/v1/chat/completions', CHAT],
  ['/v1/messages', MESSAGES],
  ['/v1/messages/count_tokens', MESSAGES],
  ['/v1/responses', { model: 'offline', input: 'hi' }],
] as const;

let proxy: TestProxy;
beforeAll(async () => {
  proxy = await startProxy({ allowedOrigins: [ORIGIN], maxBodyBytes: MAX_BODY_BYTES, bodyTimeoutMs: 300 });
});
afterAll(() => proxy.stop());

describe('the token', () => {
  test.each(ENDPOINTS)(verifies('G1:proxy-token', '%s takes the token of either header, and nothing without one'), async (path, body) => {
    expect((await proxy.ask(path, body)).status).toBe(200);
    expect((await proxy.ask(path, body, { token: null, headers: { 'x-api-key': TOKEN } })).status).toBe(200);
    for (const headers of [{}, { 'x-api-key': 'wrong' }, { authorization: 'Basic abc' }] as Record<string, string>[]) {
      const refused = await proxy.ask(`${path}?token=${TOKEN}&key=${TOKEN}`, body, { token: null, headers });
      expect(refused.status).toBe(401);
      expect(refused.headers.get('request-id')).toMatch(/^req_/);
    }
  });

  test(verifies('G1:proxy-cookie', 'no cookie counts here, that of the console neither'), async () => {
    for (const cookie of [`codelab-8000=${TOKEN}`, `__Host-codelab=${TOKEN}`]) {
      const headers = { cookie, 'x-codelab-console': '1', 'sec-fetch-site': 'same-origin' };
      expect((await proxy.ask('/v1/models', undefined, { token: null, headers })).status).toBe(401);
    }
  });

  test('a refusal comes in the dialect of the endpoint', async () => {
    const chat = await proxy.ask('/v1/chat/completions', CHAT, { token: 'wrong' });
    expect(chat.json()).toEqual({
      error: { message: expect.any(String), type: 'invalid_request_error', param: null, code: 'invalid_api_key' },
    });
    const messages = await proxy.ask('/v1/messages', MESSAGES, { token: 'wrong' });
    expect(messages.json()).toEqual({
      type: 'error',
      error: { type: 'authentication_error', message: expect.any(String) },
      request_id: messages.headers.get('request-id'),
    });
    const models = { headers: { 'anthropic-version': '2023-06-01' }, token: 'wrong' };
    expect((await proxy.ask('/v1/models', undefined, models)).json()).toMatchObject({ type: 'error' });
  });

  test('a token without the scope is refused by name', async () => {
    const refused = await proxy.ask('/v1/chat/completions', CHAT, { token: NARROW });
    expect(refused.status).toBe(403);
    expect(refused.json()).toMatchObject({ error: { type: 'permission_error', message: expect.stringContaining('`llm`') } });
  });

  test(verifies('G1:proxy-origin', 'a page of a foreign origin may not ask, one that is listed may'), async () => {
    const foreign = await proxy.ask('/v1/models', undefined, { headers: { origin: 'https://evil.example' } });
    expect(foreign.status).toBe(403);
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    const listed = await proxy.ask('/v1/models', undefined, { headers: { origin: ORIGIN } });
    expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([200, ORIGIN]);
    const asked = { origin: ORIGIN, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' };
    const preflight = await proxy.ask('/v1/messages', undefined, { method: 'OPTIONS', token: null, headers: asked });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, 'x-api-key']);
    const evil = { ...asked, origin: 'https://evil.example' };
    expect((await proxy.ask('/v1/messages', undefined, { method: 'OPTIONS', token: null, headers: evil })).status).toBe(403);
  });
});

test.each(['/v1/models', '/v1/nothing', '/health', '/metrics'])(
  verifies('G1:rebinding', 'the proxy is not asked by a name that a foreign resolver leads to it: %s'),
  async (path) => {
    const { port } = new URL(proxy.url);
    const askBy = (host: string | readonly string[], origin?: string, target = path) =>
      new Promise<number | undefined>((resolve, reject) => {
        const hosts = [host].flat().flatMap((name) => ['Host', name]);
        const headers = [...hosts, 'X-Api-Key', TOKEN, ...(origin === undefined ? [] : ['Origin', origin])];
        const request = httpRequest({ port, path: target, headers, agent: false });
        request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
        request.end();
      });
    expect(await askBy('evil.example')).toBe(403);
    expect(await askBy('evil.example:8002', 'http://evil.example:8002')).toBe(403);
    expect(await askBy(['localhost', 'evil.example'])).toBe(403);
    expect(await askBy('localhost', undefined, `http://evil.example${path}`)).toBe(403);
    expect(await askBy('codelab.example.com')).not.toBe(403); // the host of an allowed origin
  },
);

describe('the body', () => {
  test.each([
    ['no JSON', '{"model": ', 'not valid JSON'],
    ['nothing', '', 'empty'],
    ['a list', '[]', 'JSON object'],
    ['a number', '7', 'JSON object'],
    ['what is nested too deep', `{"messages":${'['.repeat(300)}${']'.repeat(300)}}`, 'nested deeper than 256'],
    ['what is no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'UTF-8'],
  ])('a body with %s is refused', async (_what, body, words) => {
    for (const [path] of ENDPOINTS) {
      const refused = await proxy.ask(path, body, { method: 'POST' });
      expect([refused.status, refused.json<{ error: { type: string } }>().error.type]).toEqual([400, 'invalid_request_error']);
      expect(refused.text).toContain(words);
    }
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('a body may come packed: %s', async (encoding, pack) => {
    const headers = { 'content-encoding': encoding };
    expect((await proxy.ask('/v1/chat/completions', pack(JSON.stringify(CHAT)), { headers })).status).toBe(200);
    const bomb = pack(JSON.stringify({ ...CHAT, pad: 'x'.repeat(100_000) }));
    expect(bomb.length).toBeLessThan(MAX_BODY_BYTES);
    expect((await proxy.ask('/v1/chat/completions', bomb, { headers })).status).toBe(413);
    expect((await proxy.ask('/v1/chat/completions', 'not packed', { headers })).status).toBe(400);
  });

  test('a body packed in an unknown way is refused by the name of the header', async () => {
    const refused = await proxy.ask('/v1/chat/completions', CHAT, { headers: { 'content-encoding': 'zip' } });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('content-encoding')]);
  });

  test(verifies('L3:too-large', 'a body over the limit is answered, then the connection is closed'), async () => {
    const large = JSON.stringify({ ...CHAT, pad: 'x'.repeat(MAX_BODY_BYTES) });
    const chat = await proxy.ask('/v1/chat/completions', large);
    expect([chat.status, chat.headers.get('connection')]).toEqual([413, 'close']);
    expect(chat.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
    const messages = await proxy.ask('/v1/messages', large);
    expect([messages.status, messages.json<{ error: { type: string } }>().error.type]).toEqual([413, 'request_too_large']);
  });

  test('a body without a length is counted as it comes', async () => {
    const { port } = new URL(proxy.url);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest({ port, method: 'POST', path: '/v1/messages', headers: { 'x-api-key': TOKEN } });
      request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      for (let n = 0; n < 8; n += 1) request.write('x'.repeat(1_024));
    });
    expect(status).toBe(413);
  });

  test('a body that does not come is answered, then the connection is closed', async () => {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    socket.write(`POST /v1/messages HTTP/1.1\r\nhost: x\r\nx-api-key: ${TOKEN}\r\ncontent-length: 100\r\n\r\n{`);
    let answer = '';
    socket.on('data', (bytes) => (answer += bytes.toString()));
    await eventually('the answer', () => answer.includes('invalid_request_error') || answer.includes('timeout'));
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer.toLowerCase()).toContain('connection: close');
    await eventually('the end of the connection', () => socket.closed || socket.readableEnded);
    socket.destroy();
  });
});

describe('the path', () => {
  test('the aliases without /v1 answer alike', async () => {
    expect((await proxy.ask('/chat/completions', CHAT)).json()).toMatchObject({ object: 'chat.completion' });
    expect((await proxy.ask('/messages/', MESSAGES)).json()).toMatchObject({ type: 'message' });
    expect((await proxy.ask('/models')).json()).toMatchObject({ object: 'list' });
  });

  test('what is no endpoint is 404 in the dialect, another method is 405', async () => {
    const chat = await proxy.ask('/v1/nothing', CHAT);
    expect([chat.status, chat.json<{ error: { type: string } }>().error.type]).toEqual([404, 'invalid_request_error']);
    const messages = await proxy.ask('/v1/messages/nothing', MESSAGES);
    expect([messages.status, messages.json<{ error: { type: string } }>().error.type]).toEqual([404, 'not_found_error']);
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
      const refused = await proxy.ask('/v1/responses', undefined, { method });
      expect([method, refused.status, refused.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
  });

  test('health, readiness and metrics are open, and the rest is not found', async () => {
    expect((await proxy.ask('/health', undefined, { token: null })).json()).toMatchObject({ status: 'ok' });
    expect((await proxy.ask('/ready', undefined, { token: null })).json()).toEqual({ ready: false, waiting_for: ['redis'] });
    expect((await proxy.ask('/metrics', undefined, { token: null })).text).toContain('codelab_llm_proxy_http_requests_total');
    expect((await proxy.ask('/elsewhere', undefined, { token: null })).status).toBe(404);
  });

  test('a sane request id comes back, another one is replaced', async () => {
    const echoed = await proxy.ask('/v1/models', undefined, { headers: { 'x-request-id': 'my-id:7' } });
    expect(echoed.headers.get('request-id')).toBe('my-id:7');
    const replaced = await proxy.ask('/v1/models', undefined, { headers: { 'x-request-id': 'a b' } });
    expect(replaced.headers.get('request-id')).toMatch(/^req_[0-9a-f-]{36}$/);
  });
});

test(verifies('G1:half-sent', 'half-sent requests to the proxy are bounded per address, and starve nobody who has a token'), async () => {
  const small = await startProxy({ maxUnauthenticatedPerAddress: 2 });
  const sockets = Array.from({ length: 10 }, () => connect(small.port, '127.0.0.1').on('error', () => undefined));
  try {
    for (const socket of sockets) socket.resume().write('POST /v1/messages HTTP/1.1\r\nhost: localhost\r\n');
    await eventually('two to be left', () => sockets.filter(({ closed }) => !closed).length === 2);
    const answers = await Promise.all(Array.from({ length: 20 }, () => small.ask('/v1/messages', MESSAGES)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await eventually('only the waiting to be counted', () => small.context.sockets.size === 2);
  } finally {
    for (const socket of sockets) socket.destroy();
    await small.stop();
  }
});
