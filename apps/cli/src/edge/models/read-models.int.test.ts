import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { modelEntries } from '../../core/models/model-entries.js';
import { readModels } from './read-models.js';

const MODEL = { id: 'qwen3', display_name: 'Qwen 3', owned_by: 'ollama', context_window: 32_768 };
let server: Server;
let status = 200;
let asked: unknown[];
beforeEach(async () => {
  [asked, status] = [[], 200];
  server = createServer(({ url, headers }, response) => {
    asked.push([url, headers.authorization]);
    response.writeHead(status).end(JSON.stringify({ object: 'list', data: [{ id: 'offline' }, MODEL, { name: 'none' }] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
const address = (): string => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

test(verifies('L3:model-picker', '/model in a chat offers what the llm-proxy behind it lists'), async () => {
  const listed = [{ id: 'offline' }, { id: 'qwen3', displayName: 'Qwen 3', upstream: 'ollama', contextWindow: 32_768 }];
  expect(await readModels({ llmProxy: address(), http: 'http://127.0.0.1:1', token: 't' })).toEqual(listed);
  expect(await readModels({ http: address(), token: 't' })).toEqual(listed);
  expect(asked).toEqual([
    ['/v1/models', 'Bearer t'],
    ['/v1/models', 'Bearer t'],
  ]);
  expect(modelEntries(listed)).toEqual([
    { value: 'offline', label: 'offline', detail: '' },
    { value: 'qwen3', label: 'qwen3', detail: 'Qwen 3 · ollama · 32.8k' },
  ]);
});

test('a gateway that lists no models says where to look, and a failure is a sentence', async () => {
  status = 404;
  await expect(readModels({ http: address(), token: 't' })).rejects.toThrow('GET /v1/models');
  status = 503;
  await expect(readModels({ llmProxy: address(), http: '', token: 't' })).rejects.toThrow(
    "The models can't be listed: llm-proxy says HTTP 503.",
  );
  await expect(readModels({ llmProxy: 'http://127.0.0.1:1', http: '', token: 't' })).rejects.toThrow('does not answer');
});
