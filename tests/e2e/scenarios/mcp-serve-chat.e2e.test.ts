import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { startMcpProgram } from '../mcp-program.js';
import { useChats } from '../use-chats.js';

const chats = useChats({});

test(verifies('H1:mcp-serve-console', 'a chat of the folder asks what a program without forms wants, too'), async () => {
  const { root } = chats.repository;
  const chat = await chats.open();
  const env = Object.fromEntries(Object.entries(chats.system.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const program = await startMcpProgram({ sdk: 'v2 of 2026', root, env });
  try {
    const written = program.call('write_file', { path: 'b.txt', content: 'two\n' });
    await chat.shows('tester asks, over MCP');
    await chat.decide(/Approval needed {2}write_file {2}b\.txt/, 'a');
    expect(await written).toMatchObject({ isError: false });
    expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('two\n');
    await chat.rests();
  } finally {
    await program.close();
  }
});
