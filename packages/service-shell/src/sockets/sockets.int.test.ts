import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { readConfig } from '../config/read-config.js';
import { ServiceConfig } from '../config/service-config.js';
import type { RunningService } from '../service-definition.js';
import { startService } from '../start-service.js';

class EmptyModule {}
class SmallConfig extends ServiceConfig {
  override get unauthenticated() {
    return { total: 6, perAddress: 4 };
  }
}

const opened: Socket[] = [];
let service: RunningService | undefined;
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await service?.stop();
});

async function start(environment: Record<string, string> = {}): Promise<RunningService> {
  const config = () => readConfig(SmallConfig, { LOG_LEVEL: 'silent', ...environment });
  const port = { variable: 'PORT', of: () => 0 };
  return (service = await startService({ name: 'example', version: '1', config, port, module: () => ({ module: EmptyModule }) }));
}

/** A socket that sends `text` and nothing more; what it is told is in `heard`. */
async function open({ port }: RunningService, text: string, from = '127.0.0.1'): Promise<Socket & { heard: string }> {
  const socket = Object.assign(connect({ port, host: '127.0.0.1', localAddress: from }), { heard: '' });
  socket.on('error', () => undefined).on('data', (bytes: Buffer) => (socket.heard += bytes.toString('latin1')));
  opened.push(socket);
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return socket;
}

const HALF = 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
const living = (sockets: readonly Socket[]): number => sockets.filter(({ closed }) => !closed).length;

test.each([
  ['silent', ''],
  ['half-sent', HALF],
  ['kept alive after an answer', `${HALF}no\r\n\r\n`],
  ['sent with half a body', 'POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{'],
])(verifies('G1:half-sent', 'sockets that are %s are bounded per address and in all, and other addresses get in'), async (_, text) => {
  const running = await start();
  const here = await Promise.all(Array.from({ length: 20 }, () => open(running, text)));
  await eventually('four to be left', () => living(here) === 4);
  const elsewhere = await Promise.all(Array.from({ length: 5 }, () => open(running, text, '127.0.0.2')));
  await eventually('two to be left', () => living(elsewhere) === 2);
  expect(living(here)).toBe(4);
  expect((await fetch(`${running.url}/health`)).status).toBe(200); // who asks at once needs no place
  const metrics = await (await fetch(`${running.url}/metrics`)).text();
  expect(metrics).toMatch(/codelab_sockets_refused_total\S* 19$/m);
  for (const socket of here) socket.destroy();
  const later = await open(running, text);
  await eventually('the places to be free', () => running.context.sockets.size < 6);
  expect(later.closed).toBe(false);
});

test(verifies('G1:headers-deadline', 'headers that come drop by drop are not waited for longer than the setting says'), async () => {
  const running = await start({ CODELAB_HEADERS_TIMEOUT_MS: '400' });
  const begunMs = performance.now();
  const slow = await open(running, HALF);
  const dropping = setInterval(() => slow.write('x'), 50);
  const silent = await open(running, '');
  await eventually('the end of both', () => living([slow, silent]) === 0);
  clearInterval(dropping);
  expect(performance.now() - begunMs).toBeLessThan(5_000); // what holds without the setting
  expect(slow.heard).toMatch(/^HTTP\/1\.1 408 /);
});

test('sockets of a trusted proxy are not counted', async () => {
  const running = await start({ CODELAB_TRUSTED_PROXIES: '127.0.0.0/8' });
  const sockets = await Promise.all(Array.from({ length: 20 }, () => open(running, `${HALF}no\r\n\r\n`)));
  await eventually('the answers', () => sockets.every(({ heard }) => heard.includes('200 OK')));
  expect([running.context.sockets.size, living(sockets)]).toEqual([0, 20]);
});
