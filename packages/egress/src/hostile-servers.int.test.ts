import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { parseEgressAllow } from './egress-allow.js';
import { Egress, type EgressRequest } from './egress.js';
import type { Resolve } from './guarded-connect.js';

let server: Server;
let port: number;
let asked: IncomingMessage[] = [];
let bodies: string[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end('ok');
const names: Record<string, string> = {};
const resolve: Resolve = (hostname, _, done) => {
  const address = names[hostname];
  if (address === undefined) return done(new Error('ENOTFOUND'), []);
  done(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
};
let egress: Egress;
let strict: Egress;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request);
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      bodies.push(body);
      answer(request, response);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
  egress = new Egress({ allow: parseEgressAllow(`127.0.0.1:${String(port)}`), resolve });
  strict = new Egress({ allow: parseEgressAllow(''), resolve });
});
afterEach(() => {
  asked = [];
  bodies = [];
});
afterAll(async () => {
  await Promise.all([egress.close(), strict.close()]);
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const here = (path = '/'): string => `http://127.0.0.1:${String(port)}${path}`;
const load = (url: string, more: Partial<EgressRequest> = {}, through = egress) =>
  through.load({ url, method: 'GET', timeoutMs: 45_000, maxBytes: 1_000_000, signal: new AbortController().signal, ...more });

describe('addresses', () => {
  test.each([
    ['octal', '0177.0.0.1'],
    ['octal, short', '0177.1'],
    ['hexadecimal', '0x7f000001'],
    ['decimal', '2130706433'],
    ['mixed', '0x7f.0.1'],
    ['any address', '0.0.0.0'],
    ['any address, short', '0'],
    ['link-local, with the metadata of clouds', '169.254.169.254'],
    ['metadata, as one number', '2852039166'],
    ['carriers', '100.64.0.1'],
    ['multicast', '224.0.0.251'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 loopback', '[::1]'],
    ['IPv6, unspecified', '[::]'],
    ['IPv4-mapped', '[::ffff:127.0.0.1]'],
    ['IPv4-mapped, hexadecimal', '[::ffff:7f00:1]'],
    ['IPv4-compatible', '[::7f00:1]'],
    ['IPv4-translated', '[::ffff:0:7f00:1]'],
    ['6to4', '[2002:7f00:1::]'],
    ['NAT64', '[64:ff9b::7f00:1]'],
    ['NAT64, local use', '[64:ff9b:1::7f00:1]'],
    ['Teredo', '[2001:0:4136:e378:8000:63bf:80ff:fffe]'],
    ['unique local', '[fd00:ec2::254]'],
    ['link-local IPv6', '[fe80::1]'],
    ['IPv6 multicast', '[ff02::1]'],
    ['discard', '[100::1]'],
    ['full-width digits', '１２７.０.０.１'],
    ['circled digits', '①②⑦.⓪.⓪.①'],
    ['ideographic full stops', '127。0。0。1'],
    ['percent-encoded', '%31%32%37.0.0.1'],
    ['trailing dot', '127.0.0.1.'],
  ])('%s: %s is refused, before anybody connects', async (_, host) => {
    await expect(load(`http://${host}:${String(port)}/`, {}, strict)).rejects.toMatchObject({ failure: 'forbidden' });
    expect(() => strict.check(`http://${host}:${String(port)}/`)).toThrow(expect.objectContaining({ failure: 'forbidden' }));
    await expect(strict.fetchLike(`http://${host}:${String(port)}/`)).rejects.toMatchObject({ failure: 'forbidden' });
    expect(asked).toEqual([]);
  });

  test.each(['localhost', 'localhost.', 'LocalHost', 'metadata.google.internal', 'instance-data', 'a.b.c.', 'xn--e1afmkfd.test'])(
    'the name %s is judged by its address',
    async (host) => {
      names[host.toLowerCase()] = host.includes('meta') || host.startsWith('inst') ? '169.254.169.254' : '127.0.0.1';
      await expect(load(`http://${host}:${String(port)}/`, {}, strict)).rejects.toMatchObject({
        failure: 'forbidden',
        privateHost: host.toLowerCase(),
      });
      await expect(strict.fetchLike(`http://${host}:${String(port)}/`)).rejects.toMatchObject({ failure: 'forbidden' });
      expect(asked).toEqual([]);
    },
  );

  test('a zone, a password, another scheme and a name in another script are no way around', async () => {
    for (const url of ['http://[fe80::1%25lo]/', 'http://8.8.8.8@127.0.0.1/', 'http://user:pw@8.8.8.8/', 'gopher://8.8.8.8/', 'http:/\\']) {
      await expect(load(url, {}, strict)).rejects.toMatchObject({ failure: 'forbidden' });
    }
    names['xn--80ak6aa92e.test'] = '127.0.0.1';
    await expect(load('http://аррӏе.test/', {}, strict)).rejects.toMatchObject({ privateHost: 'xn--80ak6aa92e.test' });
  });

  test('a proxy that the environment names is not asked', async () => {
    const before = process.env.HTTP_PROXY;
    process.env.HTTP_PROXY = `http://127.0.0.1:${String(port)}`;
    try {
      names['public.test'] = '192.0.2.1'; // of the documentation: never answers, and is refused
      await expect(load('http://public.test/', {}, strict)).rejects.toMatchObject({ failure: 'forbidden' });
      expect(asked).toEqual([]);
    } finally {
      if (before === undefined) delete process.env.HTTP_PROXY;
      else process.env.HTTP_PROXY = before;
    }
  });

  test('what the operator allows is told by name or address', () => {
    const some = new Egress({ allow: parseEgressAllow('docs.internal,10.0.0.0/8') });
    const listed = ['http://docs.internal/', 'http://10.2.3.4/', 'http://docs.internal.example/', 'http://8.8.8.8/', 'http://x/'];
    expect(listed.map((url) => some.isListed(new URL(url)))).toEqual([true, true, false, false, false]);
    return some.close();
  });
});

describe('answers', () => {
  test('headers, the final address and the bytes are told', async () => {
    answer = ({ url }, response) =>
      url === '/' ? response.writeHead(302, { location: '/b' }).end() : response.setHeader('x-a', ['1', '2']).end(Buffer.from([0xff]));
    const page = await load(here());
    expect(page).toMatchObject({ url: here('/b'), status: 200, headers: { 'x-a': '1, 2' }, isCut: false });
    expect([...page.bytes]).toEqual([0xff]);
  });

  test('a redirect may be the answer', async () => {
    answer = (_, response) => response.writeHead(301, { location: 'http://169.254.169.254/x' }).end('x'.repeat(2_000_000));
    expect(await load(here(), { redirects: 'tell' })).toMatchObject({ status: 301, location: 'http://169.254.169.254/x', isCut: true });
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('%s is asked for and decoded', async (encoding, pack) => {
    answer = (_, response) => response.setHeader('content-encoding', encoding).end(pack('häl'));
    expect((await load(here())).bytes.toString()).toBe('häl');
    expect(asked[0]?.headers['accept-encoding']).toBe('gzip, deflate, br');
  });

  test(verifies('G4:egress-bombs', 'a small answer that unfolds into a large one is left, by whatever encodings'), async () => {
    const zeros = Buffer.alloc(64 * 1_024 * 1_024);
    for (const [encoding, bytes] of [
      ['gzip', gzipSync(zeros)],
      ['br', brotliCompressSync(zeros)],
      ['gzip, gzip', gzipSync(gzipSync(zeros))],
    ] as const) {
      answer = (_, response) => response.setHeader('content-encoding', encoding).end(bytes);
      await expect(load(here())).rejects.toMatchObject({ failure: 'too_large' });
      expect(await load(here(), { cut: true })).toMatchObject({ isCut: true, bytes: { length: 1_000_000 } });
    }
    answer = (_, response) => response.setHeader('content-encoding', 'gzip, gzip, gzip').end('x');
    await expect(load(here())).rejects.toMatchObject({ failure: 'failed' });
  });

  test('broken and unknown encodings fail; an encoding without bytes is empty', async () => {
    for (const [encoding, bytes] of [
      ['gzip', 'no gzip'],
      ['gzip', gzipSync('x'.repeat(5_000)).subarray(0, 15)],
      ['constructor', 'x'],
    ] as const) {
      answer = (_, response) => response.setHeader('content-encoding', encoding).end(bytes);
      await expect(load(here())).rejects.toMatchObject({ failure: 'failed' });
    }
  });

  test('an answer without end is cut, or refused', async () => {
    const drip = (response: ServerResponse): void => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(50_000)));
      };
      response.on('drain', more);
      more();
    };
    answer = (_, response) => drip(response);
    expect(await load(here(), { cut: true })).toMatchObject({ isCut: true, bytes: { length: 1_000_000 } });
    await expect(load(here())).rejects.toMatchObject({ failure: 'too_large' });
  });

  test('a server that sends byte by byte meets the deadline, in the headers and in the body', async () => {
    const dripping: NodeJS.Timeout[] = [];
    answer = (_, response) => {
      response.flushHeaders();
      dripping.push(setInterval(() => response.write('x'), 10));
    };
    await expect(load(here(), { timeoutMs: 100 })).rejects.toMatchObject({ failure: 'timeout' });
    answer = (_, response) => {
      response.socket!.write('HTTP/1.1 200 OK\r\n');
      dripping.push(setInterval(() => response.socket?.write('x-a: b\r\n'), 10));
    };
    await expect(load(here(), { timeoutMs: 100 })).rejects.toMatchObject({ failure: 'timeout' });
    dripping.forEach(clearInterval);
  });

  test('a length that is a lie and headers without end are failures', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x');
      response.socket!.end();
    };
    await expect(load(here())).rejects.toMatchObject({ failure: 'failed' });
    answer = (_, response) => void response.socket!.write(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(20_000)}`);
    await expect(load(here())).rejects.toMatchObject({ failure: 'failed' });
  });
});

describe('fetchLike', () => {
  test('asks as fetch does, and streams', async () => {
    let more: (text: string) => void = () => undefined;
    answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      more = (text) => response.end(text);
    };
    const response = await egress.fetchLike(here('/sse'), { method: 'POST', body: '{}', headers: { 'x-key': 'k' } });
    expect(response).toMatchObject({ ok: true, status: 200, url: here('/sse') });
    const reader = response.body!.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
    expect(await reader.read()).toMatchObject({ value: 'data: 1\n\n' });
    more('data: 2\n\n');
    expect(await reader.read()).toMatchObject({ value: 'data: 2\n\n' });
    expect(await reader.read()).toMatchObject({ done: true });
    expect([asked[0]?.method, asked[0]?.headers['x-key'], bodies]).toEqual(['POST', 'k', ['{}']]);
    const request = new Request(here('/r'), { method: 'PUT', body: 'b', headers: { a: 'c' } });
    answer = (_, done) => done.writeHead(204).end();
    expect((await egress.fetchLike(request)).status).toBe(204);
    expect([asked[1]?.method, asked[1]?.headers.a, bodies[1]]).toEqual(['PUT', 'c', 'b']);
  });

  test(
    verifies('H1:egress-fetch-like', 'each redirect of a streamed request is judged again, and headers stay at their origin'),
    async () => {
      answer = (_, response) => response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end();
      await expect(egress.fetchLike(here())).rejects.toMatchObject({ failure: 'forbidden' });
      names['other.test'] = '127.0.0.1';
      answer = ({ url }, response) =>
        url === '/' ? response.writeHead(307, { location: `http://other.test:${String(port)}/there` }).end() : response.end('there');
      const response = await egress.fetchLike(here(), {
        method: 'POST',
        body: '{}',
        headers: { authorization: 'Bearer x', accept: 'a/b' },
      });
      expect(await response.text()).toBe('there');
      expect(asked.at(-1)?.headers).not.toHaveProperty('authorization');
      expect(asked.at(-1)).toMatchObject({ method: 'POST', url: '/there', headers: { accept: 'a/b' } });
      answer = (_, reply) => reply.writeHead(302, { location: '/' }).end();
      await expect(egress.fetchLike(here())).rejects.toThrow('more than 3 redirects');
      await expect(egress.fetchLike(here(), { redirect: 'error' })).rejects.toMatchObject({ failure: 'failed' });
      expect((await egress.fetchLike(here(), { redirect: 'manual' })).status).toBe(302);
    },
  );

  test('an abort is the reason of its signal; a refused connection is a failure without an address', async () => {
    const caller = new AbortController();
    answer = () => caller.abort();
    await expect(egress.fetchLike(here(), { signal: caller.signal })).rejects.toHaveProperty('name', 'AbortError');
    const open = new Egress({ allow: parseEgressAllow('127.0.0.1') });
    await expect(open.fetchLike('http://127.0.0.1:1/')).rejects.toMatchObject({
      failure: 'failed',
      message: expect.not.stringContaining('127'),
    });
    await open.close();
  });

  test('a body over its limit, or without end, is an error of the body', async () => {
    answer = (_, response) => {
      const zeros = Buffer.alloc(40 * 1_024 * 1_024);
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' }).end(gzipSync(zeros));
    };
    await expect((await egress.fetchLike(here())).text()).rejects.toMatchObject({ failure: 'too_large' });
  });
});
