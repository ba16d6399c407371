import { get } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { startRedis, verifies } from '@codelab/testkit';
import { FrameClient } from '../__fixtures__/frame-client.js';
import { useGateways } from '../__fixtures__/use-gateways.js';
import { ISSUER, signJwt } from '../__fixtures__/sign-jwt.js';

const fixture = useGateways(startRedis, { gateway: { ...ISSUER, allowedOrigins: ['https://listed.example'] } });
const clients: FrameClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

type Headers = Readonly<Record<string, string>>;

const name = (): string => `codelab-${new URL(fixture.gateway.url).port}`;

const own = (): Headers => ({ origin: fixture.gateway.url, 'sec-fetch-site': 'same-origin', 'x-codelab-console': '1' });

const post = (path: string, headers: Headers, body?: object): Promise<Response> =>
  fetch(`${fixture.gateway.url}${path}`, { method: 'POST', headers: { ...headers }, body: body && JSON.stringify(body) });

const signIn = async (token = 'alice-token', headers = own()): Promise<{ readonly response: Response; readonly cookie: string }> => {
  const response = await post('/console/sign-in', headers, { token });
  return { response, cookie: (response.headers.get('set-cookie') ?? '').split(';')[0]! };
};

const read = (path: string, headers: Headers): Promise<Response> => fetch(`${fixture.gateway.url}${path}`, { headers: { ...headers } });

const codeOf = async (response: Response): Promise<unknown[]> => [
  response.status,
  ((await response.json()) as { error?: { code?: string } }).error?.code,
];

const upgrade = async (headers: Headers, session = 'console-1', protocols: string[] = []): Promise<FrameClient> => {
  const client = await FrameClient.connect(`${fixture.gateway.ws}/${session}`, undefined, { headers: { ...headers }, protocols });
  clients.push(client);
  return client;
};

test(
  verifies('G1:console-cookie', 'a browser that signed in is known by a cookie that holds no token and that no script can read'),
  async () => {
    const { response, cookie } = await signIn();
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ tenant: 'acme', sub: 'alice', scopes: expect.arrayContaining(['session']) });
    expect(response.headers.get('set-cookie')).toMatch(/^codelab-\d+=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(await (await read('/console/me', { ...own(), cookie })).json()).toMatchObject({ signed_in: { sub: 'alice' } });
    expect((await read('/api/v1/sessions', { ...own(), cookie })).status).toBe(200);
    const client = await upgrade({ origin: fixture.gateway.url, cookie });
    client.send({ type: 'hello', protocol_versions: ['2.0'], client_id: 'tab' });
    expect(await client.next('welcome')).toMatchObject({ session_id: 'console-1' });
  },
);

test('by a trusted proxy that took TLS off, the cookie is bound to the host', async () => {
  const gateway = await fixture.another({ trustedProxies: ['127.0.0.1'] });
  const secure = { 'x-forwarded-proto': 'https', origin: gateway.url.replace('http:', 'https:'), 'x-codelab-console': '1' };
  const ask = (headers: Headers) =>
    fetch(`${gateway.url}/console/sign-in`, { method: 'POST', headers: { ...headers }, body: JSON.stringify({ token: 'alice-token' }) });
  const response = await ask(secure);
  expect(response.headers.get('set-cookie')).toMatch(/^__Host-codelab-\d+=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  expect(await codeOf(await ask({ ...secure, origin: gateway.url }))).toEqual([403, 'FORBIDDEN']);
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  const { 'x-forwarded-proto': _, ...plain } = secure;
  expect((await fetch(`${gateway.url}/api/v1/sessions`, { headers: { ...secure, cookie } })).status).toBe(200);
  expect((await fetch(`${gateway.url}/api/v1/sessions`, { headers: { ...plain, origin: gateway.url, cookie } })).status).toBe(401);
});

test.each<[string, (cookie: string) => Headers]>([
  ['of a foreign origin', (cookie) => ({ ...own(), cookie, origin: 'https://evil.example' })],
  ['of another port of this machine', (cookie) => ({ ...own(), cookie, origin: 'http://127.0.0.1:1' })],
  ['of a page without origin', (cookie) => ({ ...own(), cookie, origin: 'null' })],
  ['from a page of another site', (cookie) => ({ cookie, 'x-codelab-console': '1', 'sec-fetch-site': 'cross-site' })],
  ['from a neighbour of the same site', (cookie) => ({ cookie, 'x-codelab-console': '1', 'sec-fetch-site': 'same-site' })],
  ['without the mark of the console', (cookie) => ({ cookie, origin: fixture.gateway.url })],
])(verifies('G1:console-forgery', 'a cookie does not count for a request %s'), async (_, headers) => {
  const { cookie } = await signIn();
  expect(await codeOf(await read('/api/v1/sessions', headers(cookie)))).toEqual([403, 'FORBIDDEN']);
  expect(await codeOf(await post('/api/v1/sessions', headers(cookie), {}))).toEqual([403, 'FORBIDDEN']);
});

test(verifies('G1:console-change', 'with a cookie nothing is changed without an origin'), async () => {
  const { cookie } = await signIn();
  const { origin: _, ...headers } = own();
  expect((await read('/api/v1/sessions', { ...headers, cookie })).status).toBe(200);
  expect(await codeOf(await post('/api/v1/sessions', { ...headers, cookie }, {}))).toEqual([403, 'FORBIDDEN']);
  expect(await codeOf(await post('/console/sign-in', headers, { token: 'alice-token' }))).toEqual([403, 'FORBIDDEN']);
  expect(await codeOf(await post('/console/sign-out', { cookie }))).toEqual([403, 'FORBIDDEN']);
});

test(verifies('G1:console-hijack', 'no page but the console opens a socket by the cookie'), async () => {
  const { cookie } = await signIn();
  await expect(upgrade({ cookie, origin: 'https://evil.example' })).rejects.toMatchObject({ status: 403 });
  await expect(upgrade({ cookie, origin: 'http://127.0.0.1:1' })).rejects.toMatchObject({ status: 403 });
  await expect(upgrade({ cookie })).rejects.toMatchObject({ status: 403 });
  await expect(upgrade({ cookie, origin: fixture.gateway.url, 'sec-fetch-site': 'cross-site' })).rejects.toMatchObject({ status: 403 });
});

test('a listed page is nobody by the cookie, and says who it is itself', async () => {
  const { cookie } = await signIn();
  const listed = { cookie, origin: 'https://listed.example' };
  expect(await codeOf(await read('/api/v1/sessions', { ...listed, 'x-codelab-console': '1' }))).toEqual([401, 'UNAUTHORIZED']);
  const client = await upgrade(listed);
  client.send({ type: 'hello', protocol_versions: ['2.0'], client_id: 'page' });
  expect(await client.next('error')).toMatchObject({ code: 'UNAUTHORIZED' });
});

test(verifies('G1:console-bearer', 'a token in the request counts, whatever the cookie says'), async () => {
  const { cookie } = await signIn('alice-token');
  const both = { ...own(), cookie, authorization: 'Bearer bob-token' };
  await fixture.join(fixture.newSession());
  expect(((await (await read('/api/v1/sessions', both)).json()) as { sessions: unknown[] }).sessions).toEqual([]);
  expect(await codeOf(await read('/api/v1/sessions', { ...both, authorization: 'Bearer wrong' }))).toEqual([401, 'TOKEN_INVALID']);
  await expect(upgrade({ cookie, origin: fixture.gateway.url }, 's', ['codelab.v1', 'codelab.bearer.wrong'])).rejects.toMatchObject({
    status: 401,
  });
});

test(verifies('S1:console', 'the cookie of one person shows nothing of another'), async () => {
  const session = fixture.newSession();
  await fixture.join(session);
  const { cookie } = await signIn('bob-token');
  expect(await codeOf(await read(`/api/v1/sessions/${session.sessionId}`, { ...own(), cookie }))).toEqual([404, 'SESSION_NOT_FOUND']);
  const client = await upgrade({ origin: fixture.gateway.url, cookie }, session.sessionId);
  client.send({ type: 'hello', protocol_versions: ['2.0'], client_id: 'tab' });
  expect(await client.next('welcome')).toMatchObject({ seq: 0, executor: 'none' }); // bob's own session of this name
});

test(verifies('G1:console-over', 'a cookie whose token is over, or that was signed out, is refused with 401 and taken away'), async () => {
  const jwt = await signJwt({ scope: 'session', exp: Math.floor(Date.now() / 1_000) - 2 }); // within the tolerance of clocks, for some seconds more
  const { cookie } = await signIn(jwt);
  let answer = await read('/api/v1/sessions', { ...own(), cookie });
  const deadline = Date.now() + 15_000;
  while (answer.status === 200 && Date.now() < deadline) answer = await read('/api/v1/sessions', { ...own(), cookie });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('set-cookie')).toBe(`${name()}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`);
  expect(await codeOf(answer)).toEqual([401, 'TOKEN_EXPIRED']);
  await expect(upgrade({ cookie, origin: fixture.gateway.url })).rejects.toMatchObject({ status: 401 });
  const other = await signIn();
  const left = await post('/console/sign-out', { ...own(), cookie: other.cookie });
  expect([left.status, left.headers.get('set-cookie')]).toEqual([204, `${name()}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`]);
  expect(await codeOf(await read('/api/v1/sessions', { ...own(), cookie: other.cookie }))).toEqual([401, 'TOKEN_EXPIRED']);
});

test(
  verifies('G1:console-again', 'who signs in again ends the sign-in that the browser had before, and that of no other browser'),
  async () => {
    const [first, elsewhere] = [await signIn(), await signIn()];
    const waiting = read('/api/v1/approvals?since=x&wait_ms=0', { ...own(), cookie: first.cookie });
    expect((await waiting).status).toBe(200);
    const client = await upgrade({ origin: fixture.gateway.url, cookie: first.cookie });
    client.send({ type: 'hello', protocol_versions: ['2.0'], client_id: 'tab' });
    await client.next('welcome');
    const again = await signIn('bob-token', { ...own(), cookie: first.cookie });
    expect(again.response.status).toBe(200);
    expect(await client.ended).toMatchObject({ code: 4401 });
    expect(await codeOf(await read('/api/v1/sessions', { ...own(), cookie: first.cookie }))).toEqual([401, 'TOKEN_EXPIRED']);
    for (const { cookie } of [again, elsewhere]) expect((await read('/api/v1/sessions', { ...own(), cookie })).status).toBe(200);
    expect(await codeOf((await signIn('wrong', { ...own(), cookie: again.cookie })).response)).toEqual([401, 'TOKEN_INVALID']);
    expect((await read('/api/v1/sessions', { ...own(), cookie: again.cookie })).status).toBe(200); // nothing was begun, nothing is over
  },
);

test(
  verifies('G1:console-port', 'a cookie is that of one port: another gateway of the same host neither takes it nor takes it away'),
  async () => {
    const other = await fixture.another();
    const { cookie } = await signIn();
    const headers = { origin: other.url, 'sec-fetch-site': 'same-origin', 'x-codelab-console': '1', cookie };
    const answer = await fetch(`${other.url}/api/v1/sessions`, { headers });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
    const there = await fetch(`${other.url}/console/sign-in`, { method: 'POST', headers, body: JSON.stringify({ token: 'bob-token' }) });
    expect(there.headers.get('set-cookie')).not.toContain(`${name()}=`);
    expect((await read('/api/v1/sessions', { ...own(), cookie })).status).toBe(200);
  },
);

test('two cookies of the name are none: one of them is somebody else’s', async () => {
  const { cookie } = await signIn();
  expect(await codeOf(await read('/api/v1/sessions', { ...own(), cookie: `${cookie}; ${name()}=x` }))).toEqual([401, 'UNAUTHORIZED']);
});

test('who is not signed in is told how to be', async () => {
  const me = (await (await read('/console/me', own())).json()) as object;
  expect(me).toEqual({ version: expect.any(String), methods: { token: true } });
});

test(verifies('G4:console-guesses', 'wrong tokens are bounded per address, and the next one is told how long to wait'), async () => {
  const gateway = await fixture.another({ trustedProxies: ['127.0.0.1'] });
  const guess = (from: string, token: string) =>
    fetch(`${gateway.url}/console/sign-in`, {
      method: 'POST',
      headers: { origin: gateway.url, 'x-codelab-console': '1', 'x-forwarded-for': from },
      body: JSON.stringify({ token }),
    });
  const answers = await Promise.all(Array.from({ length: 10 }, () => guess('203.0.113.1', 'wrong')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  const refused = await guess('203.0.113.1', 'alice-token');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
  expect((await guess('203.0.113.2', 'alice-token')).status).toBe(200);
});

test('a token that may not use sessions does not sign in, and the body is bounded', async () => {
  expect(await codeOf((await signIn('llm-token')).response)).toEqual([403, 'FORBIDDEN']);
  expect(await codeOf(await post('/console/sign-in', own(), { token: 'x'.repeat(20_000) }))).toEqual([413, 'FRAME_TOO_LARGE']);
  expect(await codeOf(await post('/console/sign-in', own(), {}))).toEqual([422, 'MISSING_FIELD']);
});

test('the cookie is nothing to a request by a foreign name', async () => {
  const { cookie } = await signIn();
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const { port } = new URL(fixture.gateway.url);
    get({ port, path: '/api/v1/sessions', headers: { ...own(), host: 'evil.example', cookie } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
  expect(status).toBe(403);
});
