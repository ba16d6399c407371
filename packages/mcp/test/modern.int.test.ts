import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import type { McpServers } from '../src/index.js';
import { FILESYSTEM, manage, program } from './stock-servers.js';

let ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

async function start(servers: McpServers): Promise<McpServers> {
  ends.push(() => servers.close());
  await servers.start();
  return servers;
}

test('server-filesystem reads and writes in its folder, and nowhere else', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'codelab-mcp-')));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'a.txt'), 'first line\n');
  const servers = await start(manage([{ ...program('files', FILESYSTEM, folder), excludeTools: ['edit_*', 'move_file'] }]));
  const names = servers.tools().map(({ tool }) => tool);
  expect(names).toContain('read_text_file');
  expect(names.filter((name) => name.startsWith('edit_') || name === 'move_file')).toEqual([]);
  const read = await servers.callTool('files', 'read_text_file', { path: join(folder, 'a.txt') });
  expect(read.content).toEqual([{ type: 'text', text: 'first line\n' }]);
  await servers.callTool('files', 'write_file', { path: join(folder, 'b.txt'), content: 'second' });
  expect(JSON.stringify(await servers.callTool('files', 'list_directory', { path: folder }))).toContain('b.txt');
  expect(await servers.callTool('files', 'read_text_file', { path: '/etc/passwd' })).toMatchObject({ isError: true });
  await expect(servers.callTool('files', 'edit_file', {})).rejects.toMatchObject({ code: 'UNKNOWN_TOOL' });
});

test(
  verifies('L3:mcp-modern', 'a server of the newest protocol is spoken to in it: calls, questions in their course, lists that change'),
  async () => {
    const MODERN = fileURLToPath(new URL('./modern-server.mjs', import.meta.url));
    const asked: string[] = [];
    const servers = await start(
      manage([program('modern', MODERN)], {
        hooks: {
          elicit: (request) => {
            asked.push(request.message);
            return Promise.resolve({ action: 'accept', content: { name: 'Ada' } });
          },
        },
      }),
    );
    expect(servers.servers()[0]).toMatchObject({ status: { kind: 'ready' }, protocol: '2026-07-28', title: 'modern' });
    expect((await servers.callTool('modern', 'add', { a: 1, b: 2 })).structuredContent).toEqual({ sum: 3 });
    expect((await servers.callTool('modern', 'greet', {})).content).toEqual([{ type: 'text', text: 'Hello Ada' }]);
    expect(asked).toEqual(['Who are you?']);
    await servers.callTool('modern', 'grow', {});
    await eventually('the new tool is offered', () => servers.tools().some(({ tool }) => tool === 'grown'));
  },
);
