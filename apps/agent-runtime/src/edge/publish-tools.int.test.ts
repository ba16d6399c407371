import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connectBus, type Bus } from '@codelab/bus/redis';
import { NO_TOOLS_FILE, type ToolsFile } from '@codelab/config-file';
import { Egress, parseEgressAllow } from '@codelab/egress';
import { createLogger } from '@codelab/service-shell';
import { eventually, startRedis, verifies, type TestRedis } from '@codelab/testkit';
import { Registry } from 'prom-client';
import { UrlTools } from '../core/server-tools/operator/url-tools.js';
import { startMcpServer, type ChangingServer } from './__fixtures__/mcp-server.js';
import { startProcess } from './__fixtures__/start-process.js';
import { openMcp } from './open-mcp.js';
import { publishTools } from './publish-tools.js';

let redis: TestRedis;
let bus: Bus;
let server: ChangingServer;
const logger = createLogger('test', 'silent');
const cleanups: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  redis = await startRedis();
  bus = await connectBus({ url: redis.url });
  server = await startMcpServer();
});
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close();
});
afterAll(async () => {
  await server.close();
  await bus.close();
  await redis.close();
});

const names = async (): Promise<readonly string[]> => (await bus.publishedTools.read()).map(({ name }) => name);

/** One runtime's tools of a file, published over a connection of its own. */
async function start(file: Partial<ToolsFile>): Promise<() => Promise<void>> {
  const own = await connectBus({ url: redis.url });
  cleanups.push(() => own.close());
  const whole = { ...NO_TOOLS_FILE, ...file };
  const egress = new Egress({ allow: parseEgressAllow('') });
  const byUrl = new UrlTools({ file: whole, egressFor: () => egress, readVariable: () => undefined });
  const mcp = openMcp(whole, { revisions: own.toolRevisions, logger, metrics: new Registry(), version: '0' });
  cleanups.push(
    () => mcp.close(),
    () => egress.close(),
  );
  const stop = publishTools(own.publishedTools, [byUrl, mcp.source], logger);
  cleanups.push(stop);
  return stop;
}

test(
  verifies(
    'S1:published-tools',
    'a runtime publishes its tools with their audience and without an address, says a change at once, and takes its word back',
  ),
  async () => {
    const docs = { url: server.url, headers: { 'X-Key': 'hidden-key' }, owners: ['acme/*'], tools: { include: ['greet'] } };
    const tides = {
      description: 'Tells the tides.',
      input_schema: { type: 'object' as const },
      url: 'https://tides.example.com/hidden',
      tags: ['harbour'],
    };
    const stop = await start({ mcp_servers: { docs, off: { url: server.url, policy: 'deny' } }, tools: { tides } });
    await eventually('the tools', async () => (await names()).length === 2);
    const published = await bus.publishedTools.read();
    expect(published).toEqual([
      {
        name: 'tides',
        description: 'Tells the tides.',
        inputSchema: { type: 'object' },
        source: 'http',
        access: 'write',
        tags: ['harbour'],
      },
      {
        ...{ name: 'mcp__docs__greet', description: 'Greets.', source: 'mcp', access: 'write', tags: ['server:docs'] },
        ...{ inputSchema: expect.objectContaining({ type: 'object', required: ['name'] }), uri: 'mcp://docs/greet', owners: ['acme/*'] },
      },
    ]);
    expect(JSON.stringify(published)).not.toMatch(/hidden|127\.0\.0\.1|example\.com/);
    const replica = await start({ mcp_servers: { docs }, tools: { tides } });
    server.describe('Greets twice.');
    await eventually(
      'the change, of both',
      async () => (await bus.publishedTools.read()).map(({ description }) => description).join() === 'Tells the tides.,Greets twice.',
    );
    await stop();
    expect(await names()).toEqual(['tides', 'mcp__docs__greet']);
    await replica();
    expect(await names()).toEqual([]);
  },
);

test('a runtime process publishes what it runs without a tools file, and a drain takes it back', async () => {
  const runtime = await startProcess(redis.url);
  cleanups.push(() => runtime.end('SIGKILL'));
  await eventually('the web', async () => (await names()).join() === 'web.fetch,web.search');
  await runtime.end('SIGTERM');
  expect(await names()).toEqual([]);
});
