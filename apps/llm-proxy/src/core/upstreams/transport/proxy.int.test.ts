import { createServer, request as ask, type Server } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startScriptedProvider, type ScriptedProvider } from '@codelab/testkit';
import { TIMEOUTS } from '../__fixtures__/open-upstream.js';
import { Transport, type ProxySettings } from './transport.js';

let provider: ScriptedProvider;
let proxy: Server;
let proxyUrl: string;
/** Hosts that were asked for through the proxy. */
let through: string[] = [];
beforeAll(async () => {
  provider = await startScriptedProvider({ script: () => ({ body: { ok: true } }) });
  proxy = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '');
    through.push(url.host);
    const onward = ask(url, { method: incoming.method, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  proxy.on('connect', ({ url = '' }, socket, head) => {
    through.push(url);
    const [host, port] = url.split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  proxyUrl = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
});
beforeEach(() => void (through = []));
afterAll(async () => {
  await provider.close();
  proxy.close();
  proxy.closeAllConnections();
});

async function post(settings?: ProxySettings): Promise<string> {
  const transport = new Transport({
    ...{ baseUrl: provider.baseUrl, headers: {}, timeouts: TIMEOUTS, settings: { baseUrl: 'B', apiKey: 'K' } },
    ...(settings && { proxy: settings }),
  });
  try {
    const { body } = await transport.post({ path: '/chat/completions', body: '{}', signal: new AbortController().signal });
    return await text(body);
  } finally {
    await transport.close();
  }
}

test('upstreams are asked through the proxy of the environment', async () => {
  expect(await post({ httpProxy: proxyUrl })).toBe('{"ok":true}');
  expect(through).toEqual([new URL(provider.origin).host]);
});

test.each<[what: string, settings: () => ProxySettings | undefined]>([
  ['without one', () => undefined],
  ['for hosts that are left out', () => ({ httpProxy: proxyUrl, noProxy: 'localhost,127.0.0.1' })],
])('upstreams are asked directly %s', async (_what, settings) => {
  expect(await post(settings())).toBe('{"ok":true}');
  expect(through).toEqual([]);
});

test('a proxy that is not there is told as an upstream that can’t be reached', async () => {
  await expect(post({ httpProxy: 'http://127.0.0.1:1' })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('check B'),
  });
});
