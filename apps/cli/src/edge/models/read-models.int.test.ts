import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { verifies } from '@codelab/testkit';
import { describeModels } from '../../core/models/describe-models.js';
import { readModels } from './read-models.js';

let server: Server;
let status = 200;
let asked: unknown[];
beforeEach(async () => {
  [asked, status] = [[], 200];
  server = createServer(({ url, headers }, response) => {
    asked.push([url, headers.authorization]);
    response.writeHead(status).end(JSON.stringify({ object: 'list', data: [{ id: 'offline' }, { id: 'qwen3' }] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
const llmProxy = (): string => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

test(verifies('L3:listed-models', '/model in a chat lists what the llm-proxy of this machine lists'), async () => {
  const names = await readModels({ llmProxy: llmProxy(), token: 't' });
  expect(describeModels(names)).toBe('There are: offline, qwen3.');
  expect(asked).toEqual([['/v1/models', 'Bearer t']]);
});

test('behind a gateway that was named it says where to look, and a failure is a sentence', async () => {
  expect(describeModels(await readModels({ token: 't' }))).toContain('GET /v1/models');
  status = 503;
  await expect(readModels({ llmProxy: llmProxy(), token: 't' })).rejects.toThrow("The models can't be listed: llm-proxy says HTTP 503.");
  await expect(readModels({ llmProxy: 'http://127.0.0.1:1', token: 't' })).rejects.toThrow('does not answer');
});

test('a long list is cut, and says so', () => {
  expect(describeModels(Array.from({ length: 70 }, (_, n) => `m${String(n)}`))).toMatch(/m59, and 10 more\.$/);
});
