import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { SessionApi } from './session-api.js';

let server: Server | undefined;

afterEach(() => new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined))));

/** REST of which each route answers with what `answers` says. */
async function serve(answers: Readonly<Record<string, readonly [status: number, body?: unknown]>>, token = 'good'): Promise<SessionApi> {
  server = createServer((request, response) => {
    const [status, body] =
      request.headers.authorization === `Bearer ${token}` ? (answers[`${request.method} ${request.url}`] ?? [404]) : [401];
    response
      .writeHead(status, { 'content-type': 'application/json', connection: 'close' })
      .end(body === undefined ? '' : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return new SessionApi({ http: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'good' });
}

test('all parts of a list and of a history are fetched, and put in order', async () => {
  const api = await serve({
    'GET /api/v1/sessions?limit=100': [200, { sessions: [1, 2], next_cursor: '2' }],
    'GET /api/v1/sessions?limit=100&cursor=2': [200, { sessions: [3] }],
    'GET /api/v1/sessions/a%2Fb/history?limit=100': [200, { items: ['c', 'd'], next_cursor: '2' }],
    'GET /api/v1/sessions/a%2Fb/history?limit=100&cursor=2': [200, { items: ['a', 'b'] }],
  });
  expect(await api.list()).toEqual([1, 2, 3]);
  expect(await api.history('a/b')).toEqual(['a', 'b', 'c', 'd']);
});

test('deleting needs no answer but the status', async () => {
  const api = await serve({ 'DELETE /api/v1/sessions/s': [204] });
  await expect(api.delete('s')).resolves.toBeUndefined();
});

test.each([
  ['no such session', {}, 'good', /There is no such conversation: `codelab sessions` lists them/],
  ['a wrong token', {}, 'other', /doesn't know this token/],
  [
    'a refusal',
    { 'GET /api/v1/sessions/s': [403, { error: { message: 'This needs the scope session.' } }] as const },
    'good',
    /refused it: This needs the scope session/,
  ],
])('%s is one sentence that says what to do', async (_, answers, token, message) => {
  const api = await serve(answers, token);
  await expect(api.show('s')).rejects.toMatchObject({ message: expect.stringMatching(message), exitCode: 1 });
});

test('a gateway that is not there is named', async () => {
  const api = new SessionApi({ http: 'http://127.0.0.1:1', token: 't' });
  await expect(api.list()).rejects.toMatchObject({ message: expect.stringContaining('No gateway answers at http://127.0.0.1:1') });
});
