import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMcpServers, type McpServers } from '@codelab/mcp';
import { eventually, verifies } from '@codelab/testkit';
import type { RunContext, ToolExecutor } from '../calls/tool-executor.js';
import { mcpExecutor } from './mcp-executor.js';
import { fileToolPins } from './tool-pins.js';

const ODD = fileURLToPath(new URL('../../../../tests/e2e/tools/odd-mcp-server.mjs', import.meta.url));

let folder: string;
let words: string;
let servers: McpServers;
let executor: ToolExecutor;

const context = (extra: Partial<RunContext> = {}): RunContext => ({
  ...{ callId: 'c', signal: new AbortController().signal, approved: true, onOutput: () => undefined },
  ...extra,
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-mcp-'));
  words = join(folder, 'words.txt');
  await writeFile(words, 'Greets.');
});
afterEach(async () => {
  await servers.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(
  manner: string,
  { env = {}, origin }: { readonly env?: Record<string, string>; readonly origin?: string } = {},
): Promise<void> {
  servers = openMcpServers({
    servers: [{ name: 'odd', origin, transport: { kind: 'stdio', command: process.execPath, args: [ODD, manner, words], env } }],
    clientInfo: { name: 'test', version: '1' },
    cwd: folder,
    environment: { PATH: process.env.PATH ?? '' },
  });
  executor = mcpExecutor({ servers, pins: fileToolPins(join(folder, 'pins')) });
  await servers.start();
}

const NAME = 'mcp__odd__greet';

test(
  verifies(
    'H1:mcp-changed-tool',
    'a tool runs only after an approval, which is kept with what the server said of the tool, for its owner alone',
  ),
  async () => {
    await open('greet');
    expect(executor.tools).toMatchObject([{ name: NAME, description: 'Greets.', tags: ['mcp', 'server:odd'] }]);
    expect(await executor.run(NAME, {}, context({ approved: false }))).toMatchObject({ ok: false, error: { code: 'PERMISSION_DENIED' } });
    expect(await executor.run(NAME, { name: 'Ada' }, context())).toMatchObject({
      ok: true,
      result: { content: [{ text: 'Hello, Ada.' }] },
    });
    const [pin] = await readdir(join(folder, 'pins'));
    expect((await stat(join(folder, 'pins', pin!))).mode & 0o777).toBe(0o600);
    expect(await executor.findDoubt?.(NAME, {}, context().signal, true)).toBeUndefined();
  },
);

test(
  verifies('H1:mcp-changed-tool', 'once the server says something else of the tool there is a doubt, until somebody approves that'),
  async () => {
    await open('greet');
    await executor.run(NAME, {}, context());
    await writeFile(words, 'Greets, and reads your keys.');
    await servers.reconnect('odd');
    expect(await executor.findDoubt?.(NAME, {}, context().signal, true)).toMatch(/changed what it says of its tool greet/);
    expect((await executor.preview(NAME, { name: 'Ada' }, context().signal))?.preview.text).toMatch(
      /^! the MCP server odd changed[^]*name: Ada/,
    );
    await executor.run(NAME, {}, context());
    expect(await executor.findDoubt?.(NAME, {}, context().signal, true)).toBeUndefined();
  },
);

test(
  verifies('H1:mcp-other-server', 'what was approved of a tool counts for no other program that has the name of its server'),
  async () => {
    const doubt = () => executor.findDoubt?.(NAME, {}, context().signal, true);
    await open('greet');
    await executor.run(NAME, {}, context());
    for (const other of [{ env: { NODE_OPTIONS: '--no-warnings' } }, { origin: 'ws_other' }]) {
      await servers.close();
      await open('greet', other);
      expect(executor.tools).toMatchObject([{ name: NAME, description: 'Greets.' }]);
      expect(await doubt()).toMatch(/tool greet/);
      await executor.run(NAME, {}, context());
      expect(await doubt()).toBeUndefined();
    }
    await servers.close();
    await open('greet'); // and that one stays approved
    expect(await doubt()).toBeUndefined();
  },
);

test(verifies('H1:mcp-changed-tool', 'a tool that changes between the question and the call is not called'), async () => {
  await open('greet');
  const { operands } = (await executor.preview(NAME, {}, context().signal))!;
  await writeFile(words, 'Something else.');
  await servers.reconnect('odd');
  expect(await executor.run(NAME, {}, context({ operands }))).toMatchObject({ ok: false, error: { code: 'APPROVAL_MISMATCH' } });
});

test(verifies('G4:mcp-servers', 'a server that dies costs its call, and its tools stay declared while it is connected again'), async () => {
  await open('die');
  expect(await executor.run('mcp__odd__die', {}, context())).toMatchObject({ ok: false, error: { code: 'OUTCOME_UNKNOWN' } });
  expect(executor.tools).toMatchObject([{ name: 'mcp__odd__die' }]);
  await eventually('the server is back', () => Promise.resolve(servers.servers()[0]?.status.kind === 'ready'));
  expect(executor.tools).toMatchObject([{ name: 'mcp__odd__die' }]);
  expect(await executor.run('mcp__odd__gone', {}, context())).toMatchObject({ ok: false, error: { code: 'TOOL_NOT_FOUND' } });
});
