import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { readUse } from './read-use.js';

let server: Server;
let status = 200;
beforeEach(async () => {
  status = 200;
  const row = { requests: 2, input_tokens: 30, cached_input_tokens: 10, output_tokens: 5, cost_usd: 0.1 };
  server = createServer(({ url, headers }, response) => {
    const found = url === '/v1/usage?group_by=session' && headers.authorization === 'Bearer t';
    response.writeHead(found ? status : 404).end(JSON.stringify({ rows: [{ session_id: null }, { session_id: 's1', ...row }] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test(
  verifies('L3:chat-cost', 'a chat tells what its conversation used as llm-proxy counted it, and what this window saw where it does not'),
  async () => {
    const llmProxy = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const counted = { requests: 2, inputTokens: 30, cachedInputTokens: 10, outputTokens: 5, costUsd: 0.1 };
    expect(await readUse({ llmProxy, token: 't' }, 's1')).toEqual(counted);
    expect(await readUse({ llmProxy, token: 't' }, 's2')).toBeUndefined();
    expect(await readUse({ token: 't' }, 's1')).toBeUndefined();
    status = 403;
    expect(await readUse({ llmProxy, token: 't' }, 's1')).toBeUndefined();
  },
);
