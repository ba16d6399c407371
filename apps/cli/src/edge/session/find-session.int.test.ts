import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSession } from './find-session.js';

const sessions = ['abc-1', 'abc-2', 'xyz'].map((session_id) => ({ session_id }));
const server = createServer((request, response) => {
  const allowed = request.headers.authorization === 'Bearer t';
  response.writeHead(allowed ? 200 : 403, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(allowed ? { sessions } : {}));
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const find = (given: string, token = 't'): Promise<string> =>
  findSession({ http: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token }, given);

test('a conversation is found by its id, or by a beginning that only it has; a typing error begins none', async () => {
  expect(await find('abc-1')).toBe('abc-1');
  expect(await find('x')).toBe('xyz');
  expect(await find('new')).toBe('new');
  await expect(find('nosuch')).rejects.toThrow('There is no conversation "nosuch": `codelab sessions` lists them.');
  await expect(find('')).rejects.toThrow('There is no conversation ""');
  await expect(find('abc')).rejects.toThrow('"abc" begins 2 conversations (abc-1, abc-2): give more of it.');
});

test('a caller that may not list conversations is taken at its word', async () => expect(await find('one', 'other')).toBe('one'));
