import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { parseEgressAllow } from './egress-allow.js';
import { Egress, type EgressRequest } from './egress.js';
import { toTarget } from './redirects.js';
import type { Resolve } from './guarded-connect.js';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server;
let port: number;
let seen: Seen[] = [];
let answer: (request: Seen, response: ServerResponse) => void = (_, response) => response.end('ok');

/** Names and what they stand for; a list is gone through, one entry for each question. */
const names: Record<string, string[]> = {};
const resolve: Resolve = (hostname, _, done) => {
  const address = names[hostname]?.length === 1 ? names[hostname][0] : names[hostname]?.shift();
  if (address === undefined) return done(new Error('ENOTFOUND'), []);
  done(
    null,
    address.split(' ').map((one) => ({ address: one, family: one.includes(':') ? 6 : 4 })),
  );
};

let egress: Egress;
const opened: Egress[] = [];
const open = (allow: string): Egress => {
  const one = new Egress({ allow: parseEgressAllow(allow), resolve });
  opened.push(one);
  return one;
};

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      seen.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
  egress = open(`127.0.0.1:${String(port)}`);
});
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const ask = (url: string, more: Partial<EgressRequest> = {}, through = egress) => {
  seen = [];
  return through.fetch({
    url,
    method: 'POST',
    body: '{}',
    timeoutMs: 10_000,
    maxBytes: 1_000,
    signal: new AbortController().signal,
    ...more,
  });
};
const here = (path = '/'): string => `http://127.0.0.1:${String(port)}${path}`;

test('an allowed address is asked, and its answer read', async () => {
  answer = (_, response) => response.writeHead(201, { 'content-type': 'Application/JSON; charset=utf-8' }).end('{"é":1}');
  expect(await ask(here('/x'), { headers: { 'x-key': 'k' } })).toEqual({ status: 201, contentType: 'application/json', text: '{"é":1}' });
  expect(seen).toMatchObject([{ method: 'POST', url: '/x', body: '{}', headers: { 'x-key': 'k' } }]);
});

test(verifies('H1:egress-address', 'a private address is refused by whatever it is called, and never connected to'), async () => {
  const strict = open('');
  names['private.test'] = ['127.0.0.1'];
  names['mixed.test'] = ['8.8.8.8 127.0.0.1'];
  names['mapped.test'] = ['::ffff:127.0.0.1'];
  const hosts = [
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'private.test',
    'mixed.test',
    'mapped.test',
  ];
  for (const host of [...hosts, '169.254.169.254', '0.0.0.0', 'LOCALHOST.', '[fd00:ec2::254]']) {
    if (host.startsWith('LOCAL')) names['localhost.'] = ['127.0.0.1'];
    await expect(ask(`http://${host}:${String(port)}/`, {}, strict)).rejects.toMatchObject({ failure: 'forbidden' });
  }
  expect(seen).toEqual([]);
});

test(
  verifies(
    'H1:egress-rebinding',
    'the address that was judged is the one that is connected to: a name that changes its mind gains nothing',
  ),
  async () => {
    const strict = open('');
    names['rebind.test'] = ['127.0.0.1', '8.8.8.8'];
    await expect(ask(`http://rebind.test:${String(port)}/`, {}, strict)).rejects.toMatchObject({ failure: 'forbidden' });
    names['friend.test'] = ['127.0.0.1', '10.255.255.1'];
    answer = (_, response) => response.end('once');
    expect(await ask(`http://friend.test:${String(port)}/`)).toMatchObject({ text: 'once' }); // asked once: the second answer is never heard
    expect(names['friend.test']).toEqual(['10.255.255.1']);
  },
);

test(
  verifies('H1:egress-redirects', 'each redirect is judged again: to a private address, another scheme, or one too many is refused'),
  async () => {
    const to = (location: string): void => {
      answer = ({ url }, response) => (url === '/' ? response.writeHead(307, { location }).end() : response.end('there'));
    };
    to('/there');
    expect(await ask(here())).toMatchObject({ text: 'there' });
    expect(seen.map(({ method, body }) => [method, body])).toEqual([
      ['POST', '{}'],
      ['POST', '{}'],
    ]);
    for (const location of [
      `http://127.0.0.1:1/`,
      'http://169.254.169.254/latest/meta-data',
      'file:///etc/passwd',
      'http://u:p@127.0.0.1/',
    ]) {
      to(location);
      await expect(ask(here())).rejects.toMatchObject({ failure: 'forbidden' });
    }
    answer = (_, response) => response.writeHead(302, { location: '/' }).end();
    await expect(ask(here())).rejects.toThrow('more than 3 redirects');
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET']);
  },
);

test(
  verifies('L1:egress-headers', 'headers of a tool, which may hold its secrets, never follow a redirect to another origin'),
  async () => {
    names['other.test'] = ['127.0.0.1'];
    answer = ({ url }, response) =>
      url === '/' ? response.writeHead(308, { location: `http://other.test:${String(port)}/there` }).end() : response.end('there');
    await ask(here(), { headers: { 'x-key': 'secret', 'content-type': 'application/json' } });
    expect(seen[1]).toMatchObject({ url: '/there', body: '{}', headers: { 'content-type': 'application/json' } });
    expect(seen[1]?.headers).not.toHaveProperty('x-key');
  },
);

test('an answer that is too large, too slow or not wanted any more is left', async () => {
  answer = (_, response) => response.end('x'.repeat(1_001));
  await expect(ask(here())).rejects.toMatchObject({ failure: 'too_large', message: 'the answer is over 1000 bytes' });
  answer = (_, response) => response.flushHeaders();
  await expect(ask(here(), { timeoutMs: 50 })).rejects.toMatchObject({ failure: 'timeout' });
  const caller = new AbortController();
  answer = () => caller.abort();
  await expect(ask(here(), { signal: caller.signal })).rejects.toMatchObject({ failure: 'cancelled' });
  answer = (_, response) => void response.destroy();
  await expect(ask(here())).rejects.toMatchObject({ failure: 'failed' });
  await expect(ask('http://unheard-of.test/')).rejects.toMatchObject({ failure: 'failed', message: 'unheard-of.test is not known' });
});

test(
  verifies(
    'R4:egress-kept-open',
    'a connection that its server closes as it is used again is no failure; nothing but a GET is asked twice',
  ),
  async () => {
    const asked = async (method: 'GET' | 'POST'): Promise<number> => {
      seen = [];
      answer = (_, response) => (seen.length === 1 ? void response.destroy() : response.end('ok'));
      await ask(here(), { method }).catch(() => undefined);
      return seen.length;
    };
    expect(await asked('GET')).toBe(2);
    expect(await asked('POST')).toBe(1);
    seen = [];
    answer = (_, response) => void response.destroy();
    await expect(ask(here(), { method: 'GET' })).rejects.toMatchObject({ failure: 'failed' });
    expect(seen).toHaveLength(2);
  },
);

test.each(['ftp://8.8.8.8/', 'data:text/plain,x', 'http://user@8.8.8.8/', 'nonsense', ''])('%j is no URL to fetch', (url) => {
  expect(() => toTarget(url)).toThrow(expect.objectContaining({ failure: 'forbidden' }));
});

test('an address that could never be fetched is refused before anybody tries; a name has to be looked up', () => {
  for (const url of ['http://10.0.0.1/', 'http://[::1]:80/', 'https://2130706433/', 'ftp://8.8.8.8/']) {
    expect(() => egress.check(url)).toThrow(expect.objectContaining({ failure: 'forbidden' }));
  }
  for (const url of [here(), 'https://8.8.8.8/', 'https://anything.test/']) expect(() => egress.check(url)).not.toThrow();
});
