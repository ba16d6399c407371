import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sessionRef } from '@codelab/bus';
import { connectBus, type Bus } from '@codelab/bus/redis';
import { NO_TOOLS_FILE, type McpServerEntry } from '@codelab/config-file';
import { Egress, parseEgressAllow } from '@codelab/egress';
import { createLogger } from '@codelab/service-shell';
import { eventually, startRedis, verifies, type TestRedis } from '@codelab/testkit';
import { NO_SECRETS } from '@codelab/tools';
import { Registry } from 'prom-client';
import { RegisteredTools } from '../core/server-tools/registered-tools.js';
import type { ServerRun, ServerTool } from '../core/server-tools/server-tool.js';
import { startMcpServer, type ChangingServer } from './__fixtures__/mcp-server.js';
import { openMcp, type OpenedMcp } from './open-mcp.js';

const ref = sessionRef({ tenant: 'acme', sub: 'ann' }, 's1');
const other = sessionRef({ tenant: 'other', sub: 'bob' }, 's1');

let redis: TestRedis;
let bus: Bus;
let server: ChangingServer;
let metrics: Registry;
const opened: OpenedMcp[] = [];
beforeAll(async () => {
  redis = await startRedis();
  bus = await connectBus({ url: redis.url });
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await server?.close();
});
afterAll(async () => {
  await bus.close();
  await redis.close();
});

const open = (servers: Readonly<Record<string, McpServerEntry>>): OpenedMcp => {
  metrics = new Registry();
  const one = openMcp(
    { ...NO_TOOLS_FILE, mcp_servers: servers },
    { revisions: bus.toolRevisions, logger: createLogger('test', 'silent'), metrics, version: '0' },
  );
  opened.push(one);
  return one;
};

const toolsOf = async ({ source }: OpenedMcp, of = ref): Promise<Readonly<Record<string, ServerTool>>> =>
  Object.fromEntries((await source.list(of)).map((tool) => [tool.definition.name, tool]));

const run = (more: Partial<ServerRun> = {}): ServerRun => ({
  ...{ callId: 'c', argumentsText: '{}', owner: ref.owner, sessionId: 's1', signal: new AbortController().signal },
  onOutput: () => undefined,
  ...more,
});

test(
  verifies(
    'H1:remote-mcp',
    'tools of a remote server are there for those who see it, ask whatever it says of them, and run over one connection',
  ),
  async () => {
    server = await startMcpServer();
    const mcp = open({
      docs: { url: server.url, tenants: ['acme'], policy: 'ask', tools: { exclude: ['f*'] } },
      off: { url: server.url, policy: 'deny' },
    });
    const tools = await toolsOf(mcp);
    expect(Object.keys(tools)).toEqual(['mcp__docs__greet']);
    expect(await toolsOf(mcp, other)).toEqual({});
    expect(await mcp.source.list(ref)).toBe(await mcp.source.list(ref));
    const greet = tools['mcp__docs__greet']!;
    expect(greet.definition).toMatchObject({ description: 'Greets.', source: 'mcp', access: 'write', idempotency: 'unsafe' });
    expect(greet.policy?.alwaysAsks).toBe(true);
    expect(await greet.run({ name: 'Ann' }, run())).toMatchObject({ ok: true, result: { content: [{ type: 'text', text: 'hello Ann' }] } });
    expect(await metrics.metrics()).toContain('codelab_runtime_mcp_calls_total{server="docs",outcome="ok"} 1');
    expect(await metrics.metrics()).toContain('codelab_runtime_mcp_server_ready{server="docs"} 1');
  },
);

test(
  verifies('H2:tool-changed', 'a server that says something else of a tool gives it another time, in every process, and nothing else does'),
  async () => {
    server = await startMcpServer();
    const entry = { url: server.url };
    const [one, two] = [open({ docs: entry }), open({ docs: entry })];
    const since = async (mcp: OpenedMcp) => (await toolsOf(mcp))['mcp__docs__greet']?.definition.changedAtMs;
    const before = await since(one);
    expect(before).toBeLessThan(Number.MAX_SAFE_INTEGER);
    expect(await since(two)).toBe(before);
    server.describe('Greets, and reads your mail.');
    const changed = await eventually('the change is seen', async () => {
      const now = await since(one);
      return now === before ? undefined : now;
    });
    expect(changed).toBeGreaterThan(before!);
    await eventually('everywhere', async () => (await since(two)) === changed);
    const [third] = [open({ docs: entry })];
    expect(await since(third)).toBe(changed);
    expect((await toolsOf(third))['mcp__docs__fail']!.definition.changedAtMs).toBeLessThan(changed);
  },
);

test(
  verifies(
    'H1:remote-mcp-resources',
    'resources of remote servers are listed and read by two tools that ask, for those who see a server that has some',
  ),
  async () => {
    server = await startMcpServer({ 'notes://tides': 'high water at six', 'notes://keys': 'it is of-the-operator' });
    process.env['TEST_MCP_TOKEN'] = 'of-the-operator';
    try {
      const entry = { url: server.url, tenants: ['acme'] };
      const mcp = open({ docs: { ...entry, token_env: 'TEST_MCP_TOKEN' }, shut: { ...entry, resources: false } });
      const { list_remote_mcp_resources: list, read_remote_mcp_resource: read } = await toolsOf(mcp);
      expect(await toolsOf(mcp, other)).toEqual({});
      expect(Object.keys(await toolsOf(open({ shut: { url: server.url, resources: false } })))).toEqual([
        'mcp__shut__greet',
        'mcp__shut__fail',
      ]);
      for (const tool of [list!, read!]) {
        expect(tool.definition).toMatchObject({ source: 'mcp', access: 'write', idempotency: 'unsafe' });
        expect(tool.definition.changedAtMs).toBeLessThan(Number.MAX_SAFE_INTEGER);
        expect(tool.policy).toBeUndefined();
      }
      const lines = ['tides', 'keys'].map((name) =>
        JSON.stringify({ server: 'docs', uri: `notes://${name}`, name: `the notes://${name}`, mimeType: 'text/plain' }),
      );
      expect(await list!.run({}, run())).toEqual({ ok: true, result: { content: [{ type: 'text', text: lines.join('\n') }] } });
      const tides = await read!.run({ server: 'docs', uri: 'notes://tides' }, run());
      expect(tides).toMatchObject({ ok: true, result: { content: [{ resource: { uri: 'notes://tides', text: 'high water at six' } }] } });
      expect(JSON.stringify(await read!.run({ server: 'docs', uri: 'notes://keys' }, run()))).toContain('it is [masked]');
      expect(await read!.run({ server: 'docs', uri: 'notes://none' }, run())).toMatchObject({ ok: false });
      expect(await read!.run({ server: 'shut', uri: 'notes://tides' }, run())).toMatchObject({
        ok: false,
        error: { message: 'No remote MCP server "shut" offers resources; these do: docs.' },
      });
      expect(await read!.run({ server: 'docs' }, run())).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENTS' } });
      const asking = await toolsOf(open({ docs: { ...entry, policy: 'ask' } }));
      expect(asking['read_remote_mcp_resource']!.policy?.alwaysAsks).toBe(true);
    } finally {
      delete process.env['TEST_MCP_TOKEN'];
    }
  },
);

test(verifies('R2:remote-mcp-fails', 'a remote server that is away, goes, or fails costs the call, and never the service'), async () => {
  server = await startMcpServer();
  const mcp = open({ docs: { url: server.url }, away: { url: 'http://127.0.0.1:9/mcp' } });
  const tools = await toolsOf(mcp);
  expect(Object.keys(tools)).toEqual(['mcp__docs__greet', 'mcp__docs__fail']);
  expect(await tools['mcp__docs__fail']!.run({}, run())).toMatchObject({ ok: true, result: { isError: true } });
  const aborted = AbortSignal.abort();
  expect(await tools['mcp__docs__greet']!.run({ name: 'x' }, run({ signal: aborted }))).toMatchObject({
    ok: false,
    error: { code: 'CANCELLED' },
  });
  await server.close();
  const failed = await tools['mcp__docs__greet']!.run({ name: 'x' }, run({ signal: AbortSignal.timeout(5_000) }));
  expect(failed).toMatchObject({ ok: false });
  expect(JSON.stringify(failed)).not.toContain('127.0.0.1:');
  server = await startMcpServer(); // for the end of the test
});

test(
  verifies('L1:remote-mcp', 'credentials go to the server that they are for; a redirect to a private address is not followed'),
  async () => {
    server = await startMcpServer();
    server.token = 'of-the-operator';
    process.env['TEST_MCP_TOKEN'] = 'of-the-operator';
    try {
      const tools = await toolsOf(open({ docs: { url: server.url, token_env: 'TEST_MCP_TOKEN' } }));
      expect(await tools['mcp__docs__greet']!.run({ name: 'x' }, run())).toMatchObject({ ok: true });
      expect(new Set(server.authorizations)).toEqual(new Set(['Bearer of-the-operator']));
      const echoed = await tools['mcp__docs__greet']!.run({ name: 'Bearer of-the-operator' }, run());
      expect(echoed).toMatchObject({ ok: true, result: { content: [{ text: 'hello Bearer [masked]' }] } });
      const elsewhere = await startMcpServer();
      server.redirectTo = elsewhere.url;
      expect(await toolsOf(open({ docs: { url: server.url, token_env: 'TEST_MCP_TOKEN' } }))).toEqual({});
      expect(elsewhere.authorizations).toEqual([]);
      await elsewhere.close();
    } finally {
      delete process.env['TEST_MCP_TOKEN'];
    }
  },
);

test(
  verifies('H1:mcp-by-uri', 'a tool that is registered as mcp://server/tool is run by its server, and judged as under its own name'),
  async () => {
    server = await startMcpServer();
    const mcp = open({ docs: { url: server.url, policy: 'ask' } });
    const egress = new Egress({ allow: parseEgressAllow('') });
    const registered = new RegisteredTools({ serverTools: bus.serverTools, egress, secretsOf: () => NO_SECRETS, mcp: mcp.source });
    const tool = { description: 'd', inputSchema: { type: 'object' }, headers: {}, tags: [], timeoutMs: 5_000 };
    await bus.serverTools.keep(ref.owner, { ...tool, name: 'hello', url: 'mcp://docs/greet' });
    await bus.serverTools.keep(ref.owner, { ...tool, name: 'nothing', url: 'mcp://docs/none' });
    const [hello, nothing] = await registered.list(ref);
    const [own] = await mcp.source.list(ref);
    expect([hello!.definition.name, hello!.policy, hello!.definition.changedAtMs]).toEqual([
      'hello',
      own!.policy,
      own!.definition.changedAtMs,
    ]);
    expect(await registered.list(ref)).toEqual([hello, nothing]);
    expect(await hello!.run({ name: 'Ann' }, run())).toMatchObject({ ok: true, result: { content: [{ text: 'hello Ann' }] } });
    expect(await nothing!.run({}, run())).toMatchObject({ ok: false, error: { code: 'TOOL_NOT_FOUND' } });
    await egress.close();
  },
);

test('client credentials fetch a token, and another one when it is refused', async () => {
  server = await startMcpServer();
  const asked: string[] = [];
  let given = 0;
  const issuer: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      asked.push(`${request.headers.authorization ?? ''} ${body}`);
      given += 1;
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ access_token: `t${String(given)}`, expires_in: 3_600 }));
    });
  });
  issuer.listen(0, '127.0.0.1');
  await once(issuer, 'listening');
  process.env['TEST_MCP_SECRET'] = 's3';
  server.token = 't1';
  try {
    const tokenUrl = `http://127.0.0.1:${String((issuer.address() as AddressInfo).port)}/token`;
    const oauth = { client_id: 'me', client_secret_env: 'TEST_MCP_SECRET', token_url: tokenUrl, scope: 'read' };
    const greet = (await toolsOf(open({ docs: { url: server.url, oauth } })))['mcp__docs__greet']!;
    expect(await greet.run({ name: 'x' }, run())).toMatchObject({ ok: true });
    server.token = 't2';
    expect(await greet.run({ name: 'x' }, run())).toMatchObject({ ok: true });
    expect(asked).toHaveLength(2);
    const url = encodeURIComponent(server.url);
    expect(asked[0]).toBe(`Basic ${Buffer.from('me:s3').toString('base64')} grant_type=client_credentials&resource=${url}&scope=read`);
  } finally {
    delete process.env['TEST_MCP_SECRET'];
    issuer.closeAllConnections();
    issuer.close();
  }
});
