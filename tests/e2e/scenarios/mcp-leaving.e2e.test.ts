import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTerminal, verifies } from '@codelab/testkit';
import { CLI, runCommand } from '../start-system.js';
import { useChats } from '../use-chats.js';
import { isAlive, node, ODD, processOf, useMcp } from '../use-mcp.js';

const chats = useChats({ 'just talk': [{ text: 'I am here.' }] });
const mcp = useMcp(chats);

/** Whoever leaves is gone so soon, whatever their servers do. */
const LEAVING_MS = 10_000;

/** How long it takes until a promise is kept. */
async function timeOf(promise: Promise<unknown>): Promise<number> {
  const beganAt = Date.now();
  await promise;
  return Date.now() - beganAt;
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

test(
  verifies('H1:mcp-workspace-file', 'a changed .mcp.json is asked about again; after a no the chat goes on, and ends when it should'),
  async () => {
    const { root } = chats.repository;
    const words = join(chats.system.dataDir, 'changed.txt');
    const name = (manner: string) => writeFile(join(root, '.mcp.json'), JSON.stringify({ mcpServers: { odd: node(ODD, manner, words) } }));
    await writeFile(words, 'Greets.');
    await name('greet');
    const first = await chats.open({ answers: 'y' });
    await mcp.looks(first, /odd\s+ready/);
    const pid = await processOf(words);
    expect(await timeOf(first.close())).toBeLessThan(LEAVING_MS);
    expect(isAlive(pid)).toBe(false);
    await rm(`${words}.pid`);
    await name('die');
    const second = await chats.open({ answers: 'n' });
    expect(second.history()).toMatch(/changed since you approved it[^]*- [^\n]* greet [^]*\+ [^\n]* die /);
    second.say('just talk');
    await second.shows('I am here.');
    expect(await mcp.looks(second, /not approved/)).not.toMatch(/odd\s+ready/);
    expect(await timeOf(second.close())).toBeLessThan(LEAVING_MS);
    const third = await chats.open(); // a content that was refused is not asked about again
    third.say('/quit');
    expect(await third.exited).toBe(0);
    expect(await exists(`${words}.pid`)).toBe(false);
  },
);

test(verifies('H1:mcp-workspace-file', 'whoever leaves at the question starts nothing and refuses nothing'), async () => {
  const { root } = chats.repository;
  const words = join(chats.system.dataDir, 'left.txt');
  await writeFile(join(root, '.mcp.json'), JSON.stringify({ mcpServers: { odd: node(ODD, 'greet', words) } }));
  const gateway = ['--url', chats.system.gateways[0]!.ws, '--token', chats.system.token];
  const terminal = startTerminal(process.execPath, [CLI, 'chat', ...gateway, '--workspace', root], {
    ...{ columns: 80, rows: 24, cwd: root, env: mcp.env },
  });
  await terminal.shows('[y/N]');
  expect(await timeOf(terminal.close())).toBeLessThan(LEAVING_MS);
  const chat = await chats.open({ answers: 'n' }); // it is asked about still
  await chat.close();
  expect(await exists(`${words}.pid`)).toBe(false);
});

test(
  verifies('G4:mcp-servers', 'a chat whose server never answers and ends at no signal is left at once, and the server with it'),
  async () => {
    const file = join(chats.system.dataDir, 'stuck');
    await mcp.configure({ odd: node(ODD, 'stuck', file) });
    const chat = await chats.open();
    const pid = await processOf(file);
    chat.say('/quit');
    expect(await timeOf(chat.exited)).toBeLessThan(LEAVING_MS);
    expect(isAlive(pid)).toBe(false);
  },
);

test(
  verifies('G4:mcp-servers', 'codelab mcp list shows a server that never answers as it is, within its time, and leaves nothing'),
  async () => {
    const file = join(chats.system.dataDir, 'listed');
    await mcp.configure({ odd: node(ODD, 'stuck', file) });
    const beganAt = Date.now();
    const listed = await runCommand(['mcp', 'list', '--workspace', chats.repository.root], { env: mcp.env });
    expect(Date.now() - beganAt).toBeLessThan(2 * LEAVING_MS);
    expect(listed.stdout).toMatch(/odd\s+connecting …/);
    expect(isAlive(await processOf(file))).toBe(false);
  },
);
