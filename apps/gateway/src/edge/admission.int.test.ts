import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { generateKeyPairSync } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { exportJWK, SignJWT } from 'jose';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import { FrameClient, hello } from './__fixtures__/frame-client.js';
import { claimsOf, ISSUER, signJwt } from './__fixtures__/sign-jwt.js';
import { startGateway } from './__fixtures__/start-gateway.js';
import { useGateways } from './__fixtures__/use-gateways.js';

const SECRET = ISSUER.jwtSecret;
const edge = useGateways(startRedis, {
  gateway: { ...ISSUER, allowedOrigins: ['https://codelab.example.com'], maxUnauthenticatedPerAddress: 2 },
});

const connectAs = async (token?: string, options: Parameters<typeof FrameClient.connect>[2] = {}, path = '/s1'): Promise<FrameClient> =>
  edge.keep(await FrameClient.connect(edge.gateway.ws + path, token, options));

const refusal = async (attempt: Promise<FrameClient>): Promise<[status: number, code: string]> => {
  const error = (await attempt.then(
    () => undefined,
    (caught: unknown) => caught,
  )) as { status: number; body: string } | undefined;
  if (error === undefined) throw new Error('it was let in');
  return [error.status, (JSON.parse(error.body) as { error: { code: string } }).error.code];
};

/** Moves the time that is read in this process on; timers run as ever. */
const pass = (ms: number): void => {
  const now = Date.now();
  const real = performance.now();
  vi.spyOn(Date, 'now').mockImplementation(() => now + ms + performance.now() - real);
};
afterEach(() => void vi.restoreAllMocks());

/** A token that is good for a while, and how long until it is not. */
const WHILE_S = 20;
const OVER_MS = (WHILE_S + 1) * 1_000;
const expiring = (more: object = {}): Promise<string> => sign({ exp: Math.ceil(Date.now() / 1_000) + WHILE_S, ...more });

const sign = (more: object = {}, secret?: string): Promise<string> => signJwt({ scope: 'session approve', ...more }, secret);

test(verifies('G1:wrong-token', 'a wrong token is refused with 401 before the upgrade'), async () => {
  expect(await refusal(connectAs('wrong'))).toEqual([401, 'TOKEN_INVALID']);
  expect(await refusal(connectAs(undefined, { headers: { authorization: 'Basic YWxpY2U6YWxpY2U=' } }))).toEqual([401, 'TOKEN_INVALID']);
  expect(await refusal(connectAs(undefined, { protocols: ['codelab.v1', 'codelab.bearer.wrong'] }))).toEqual([401, 'TOKEN_INVALID']);
});

test('a token in the subprotocol lets in, and the server selects codelab.v1', async () => {
  const client = await connectAs(undefined, { protocols: ['codelab.v1', 'codelab.bearer.alice-token'] });
  expect(client.socket.protocol).toBe('codelab.v1');
  client.send(hello('c1'));
  await client.next('welcome');
});

test('a token in the URL is refused with 400, a path or a session that can not be with 404 and 400', async () => {
  expect(await refusal(connectAs('alice-token', {}, '/s1?token=alice-token'))).toEqual([400, 'INVALID_FIELD']);
  expect(await refusal(connectAs('alice-token', {}, '/s%2F1'))).toEqual([400, 'INVALID_FIELD']);
  expect(await refusal(connectAs('alice-token', {}, `/${'s'.repeat(65)}`))).toEqual([400, 'INVALID_FIELD']);
  expect(await refusal(connectAs('alice-token', {}, '/s1/more'))).toEqual([404, 'INVALID_FIELD']);
});

test('a request that is no upgrade is told so', async () => {
  const response = await fetch(`${edge.gateway.url}/ws/s1`);
  expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket']);
});

test('a token without the scope session is refused with 403', async () => {
  expect(await refusal(connectAs('llm-token'))).toEqual([403, 'FORBIDDEN']);
});

test(verifies('G1:origin', 'a foreign origin is refused, a listed one and the own host are not'), async () => {
  const { host } = new URL(edge.gateway.url);
  expect(await refusal(connectAs('alice-token', { origin: 'https://evil.example' }))).toEqual([403, 'FORBIDDEN']);
  expect(await refusal(connectAs('alice-token', { origin: 'null' }))).toEqual([403, 'FORBIDDEN']);
  const rebound = { origin: 'http://evil.example', headers: { host: 'evil.example' } };
  expect(await refusal(connectAs('alice-token', rebound))).toEqual([403, 'FORBIDDEN']);
  await connectAs('alice-token', { origin: 'https://codelab.example.com' });
  await connectAs('alice-token', { origin: `http://${host}` });
});

test.each(['127.0.0.1', '0.0.0.0'])(
  verifies('G1:rebinding', 'bound to %s, a gateway is not asked by a name that a foreign resolver leads to it, by socket or by REST'),
  async (host) => {
    const gateway = await edge.another({ host, allowedHosts: ['codelab.example.com'] });
    const connectBy = async (name: string, origin?: string) =>
      edge.keep(await FrameClient.connect(`${gateway.ws}/s1`, 'alice-token', { headers: { host: name }, ...(origin && { origin }) }));
    expect(await refusal(connectBy('evil.example:8000', 'http://evil.example:8000'))).toEqual([403, 'FORBIDDEN']);
    expect(await refusal(connectBy('evil.example'))).toEqual([403, 'FORBIDDEN']);
    await connectBy('codelab.example.com', 'http://codelab.example.com');
    for (const path of ['/api/v1/sessions', '/api/v1/openapi.json', '/health', '/ready', '/metrics']) {
      const foreign = await askBy('evil.example', `${gateway.url}${path}`);
      expect([path, foreign.status]).toEqual([path, 403]);
      expect(foreign.text).toContain('CODELAB_ALLOWED_HOSTS');
      expect((await askBy('codelab.example.com', `${gateway.url}${path}`)).status).toBe(200);
    }
  },
);

test(
  verifies('G1:rebinding', 'a second Host header, or a target that names another host, is judged like the first: no request passes by it'),
  async () => {
    const { host, port, hostname } = new URL(edge.gateway.url);
    for (const path of ['/api/v1/sessions', '/health']) {
      const url = `${edge.gateway.url}${path}`;
      for (const hosts of [
        ['evil.example', host],
        [host, 'evil.example'],
      ])
        expect((await askBy(hosts, url)).status).toBe(403);
      expect((await askBy(host, url, `http://evil.example${path}`)).status).toBe(403);
      expect((await askBy(host, url, url)).status).toBe(200);
    }
    const upgrade =
      'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
    for (const head of [
      `GET /ws/s1 HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\n`,
      `GET http://evil.example/ws/s1 HTTP/1.1\r\nHost: ${host}\r\n`,
    ]) {
      const socket = connect(Number(port), hostname);
      socket.write(`${head}Authorization: Bearer alice-token\r\n${upgrade}\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
    }
  },
);

test('a first auth frame lets in, and whatever else comes first is refused with 4500', async () => {
  const client = await connectAs();
  client.send({ type: 'auth', token: 'alice-token' });
  client.send(hello('c1'));
  expect(await client.next('welcome')).toMatchObject({ session_id: 's1' });

  for (const first of [{ type: 'auth', token: 'wrong' }, hello('c1'), 'garbage']) {
    const stranger = await connectAs();
    stranger.send(first);
    expect(await stranger.next('error')).toMatchObject({ code: expect.stringMatching(/^(TOKEN_INVALID|UNAUTHORIZED)$/) });
    expect(await stranger.ended).toEqual({ code: 4500, reason: 'not authenticated' });
  }
});

test(verifies('G1:auth-scope', 'an auth frame of a token without the scope session ends the connection with 4501'), async () => {
  const client = await connectAs();
  client.send({ type: 'auth', token: 'llm-token' });
  expect(await client.next('error')).toMatchObject({ code: 'FORBIDDEN' });
  expect((await client.ended).code).toBe(4501);
});

test(verifies('G1:first-frame-size', 'before authentication a frame over 8 KB is refused before it is complete'), async () => {
  const complete = await connectAs();
  complete.send({ type: 'auth', token: 'x'.repeat(8_200) });
  expect(await complete.next('error')).toMatchObject({ code: 'FRAME_TOO_LARGE' });
  expect((await complete.ended).code).toBe(1009);

  const endless = await rawUpgrade();
  endless.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 0, 1, 2, 3, 4])); // a text frame of 1 MB, of which 9 KB come
  endless.write(Buffer.alloc(9_000, 'a'));
  expect(await readUntilEnd(endless)).toContain('FRAME_TOO_LARGE');
});

test('sockets without a token are bounded per address, and their places come back', async () => {
  const [one] = [await connectAs(), await connectAs()];
  expect(await refusal(connectAs())).toEqual([429, 'RATE_LIMITED']);
  await connectAs('alice-token');
  one.send({ type: 'auth', token: 'alice-token' });
  await eventually('a place', () => connectAs().catch(() => undefined));
  await edge.closeOpened();
  // One place may be back before the other: who got it gives it back.
  await eventually('all places', async () => {
    const tries = await Promise.allSettled([connectAs(), connectAs()]);
    if (tries.every(({ status }) => status === 'fulfilled')) return true;
    return void (await edge.closeOpened());
  });
});

test('a JWT of the issuer lets in as its tenant and sub', async () => {
  const carol = await connectAs(await sign());
  carol.send(hello('c1'));
  await carol.next('welcome');
});

test.each([
  ['another issuer', { iss: 'https://evil.example' }, 'TOKEN_INVALID'],
  ['another audience', { aud: 'other' }, 'TOKEN_INVALID'],
  ['no expiry', { exp: undefined }, 'TOKEN_INVALID'],
  ['no subject', { sub: undefined }, 'TOKEN_INVALID'],
  ['a tenant with NUL', { tenant: 'a\0b' }, 'TOKEN_INVALID'],
  ['an expiry that is over', { exp: 1 }, 'TOKEN_EXPIRED'],
])('a JWT with %s is refused with 401', async (_, more, code) => {
  expect(await refusal(connectAs(await sign(more)))).toEqual([401, code]);
});

test('a JWT of another secret, without signature, or without the scope session is refused', async () => {
  expect(await refusal(connectAs(await sign({}, `${SECRET}!`)))).toEqual([401, 'TOKEN_INVALID']);
  const [, payload] = (await sign()).split('.');
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload ?? ''}.e30`;
  expect(await refusal(connectAs(unsigned))).toEqual([401, 'TOKEN_INVALID']);
  expect(await refusal(connectAs(await sign({ scope: 'llm openid' })))).toEqual([403, 'FORBIDDEN']);
});

test(verifies('G1:token-expires', 'a token that expires closes its connection with 4401'), async () => {
  const client = await connectAs(await expiring());
  client.send(hello('c1'));
  await client.next('welcome');
  pass(OVER_MS);
  expect(await client.next('error')).toMatchObject({ code: 'TOKEN_EXPIRED' });
  expect((await client.ended).code).toBe(4401);
});

test(
  verifies('G1:renewal', 'an auth frame with a fresh token of the same person, that may do as much, lets the connection live on'),
  async () => {
    const token = await expiring();
    const [client, other] = [await connectAs(token), await connectAs(token)];
    client.send({ type: 'auth', token: 'bob-token' });
    expect(await client.next('error')).toMatchObject({ code: 'FORBIDDEN' });
    client.send({ type: 'auth', token: await sign() });
    client.send(hello('c1'));
    await client.next('welcome');
    pass(OVER_MS);
    expect((await other.ended).code).toBe(4401); // so both were looked at
    await client.settle();
  },
);

test.each([
  ['no scope', undefined],
  ['no session', 'llm approve'],
  ['less', 'session'],
])(verifies('G1:renewal-rights', 'a token with %s prolongs no connection and changes none of its rights'), async (_, scope) => {
  const client = await connectAs(await expiring());
  client.send(hello('c1'));
  await client.next('welcome');
  client.send({ type: 'auth', token: await sign({ scope }) });
  expect(await client.next('error')).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('scope') });
  client.send({ type: 'hitl_decision', call_id: 'x', decision: 'approve' });
  expect(await client.next('error')).toMatchObject({ code: 'UNKNOWN_CALL' }); // it may still decide
  pass(OVER_MS);
  expect(await client.next('error')).toMatchObject({ code: 'TOKEN_EXPIRED' });
  expect((await client.ended).code).toBe(4401);
});

test('a token that may do more gives the connection more', async () => {
  const client = await connectAs(await sign({ scope: 'session' }));
  client.send(hello('c1'));
  await client.next('welcome');
  const decide = async () => {
    client.send({ type: 'hitl_decision', call_id: 'x', decision: 'approve' });
    return (await client.next('error'))['code'];
  };
  expect(await decide()).toBe('FORBIDDEN');
  client.send({ type: 'auth', token: await sign() });
  expect(await decide()).toBe('UNKNOWN_CALL');
});

test('RS256 by public key and by JWKS; a JWKS that can not be read is 503, not 401', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const token = await new SignJWT(claimsOf({ scope: 'session' })).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(privateKey);
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }] });
  let isAway = true;
  const issuer = createServer((_request, response) => (isAway ? response.writeHead(500).end() : response.end(jwks)));
  issuer.listen(0, '127.0.0.1');
  await once(issuer, 'listening');
  const { jwtIssuer, jwtAudience } = ISSUER;
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString().replaceAll('\n', '\\n');
  const byKey = await edge.another({ jwtIssuer, jwtAudience, jwtPublicKey: pem });
  const byJwks = await edge.another({
    ...{ jwtIssuer, jwtAudience },
    jwtJwksUrl: `http://127.0.0.1:${String((issuer.address() as AddressInfo).port)}/jwks`,
  });
  try {
    await (await FrameClient.connect(`${byKey.ws}/s1`, token)).close();
    expect(await refusal(FrameClient.connect(`${byKey.ws}/s1`, await sign({}, pem)))).toEqual([401, 'TOKEN_INVALID']);
    expect(await refusal(FrameClient.connect(`${byJwks.ws}/s1`, token))).toEqual([503, 'UNAVAILABLE']);
    isAway = false;
    await (await FrameClient.connect(`${byJwks.ws}/s1`, token)).close();
  } finally {
    await closeServer(issuer);
  }
});

test('a gateway with half an issuer does not start, and says which variable is missing', async () => {
  await expect(startGateway(edge.redis.url, { jwtSecret: SECRET })).rejects.toThrow('CODELAB_JWT_ISSUER is not set');
  await expect(startGateway(edge.redis.url, { jwtIssuer: 'x' })).rejects.toThrow('needs one key');
});

/** Asks by names of the test's choice, which `fetch` would not send. */
async function askBy(hosts: string | readonly string[], url: string, path = new URL(url).pathname) {
  const headers = [hosts].flat().flatMap((host) => ['Host', host]);
  const request = get(url, { path, headers: [...headers, 'Authorization', 'Bearer alice-token'], agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, text: await text(response) };
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

async function rawUpgrade(): Promise<Socket> {
  const { port, hostname } = new URL(edge.gateway.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write('GET /ws/s1 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n');
  socket.write('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

async function readUntilEnd(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (text.includes('FRAME_TOO_LARGE')) socket.destroy();
  });
  await once(socket, 'close');
  return text;
}
