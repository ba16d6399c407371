import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startProtectedServer, verifies, type ProtectedServer } from '@codelab/testkit';
import { runCommand } from '../start-system.js';
import { useChats } from '../use-chats.js';
import { useMcp } from '../use-mcp.js';

const chats = useChats({ 'tell the secret': [{ calls: [{ tool: 'mcp__cloud__secret', args: {} }] }, { text: 'Told.' }] });
const mcp = useMcp(chats);
let server: ProtectedServer;

beforeEach(async () => {
  server = await startProtectedServer();
  await mcp.configure({ cloud: { type: 'http', url: server.url } });
});
afterEach(async () => {
  await codelab('logout', 'cloud');
  await server.close();
});

const logins = (): string => join(chats.system.dataDir, 'mcp', 'logins');
const kept = (): Promise<string> => readFile(join(logins(), 'cloud.json'), 'utf8');

/** Runs `codelab mcp …`; whoever sits there follows the address of a login at once. */
async function codelab(...words: readonly string[]): Promise<Awaited<ReturnType<typeof runCommand>>> {
  const [verb = '', ...rest] = words;
  let printed = '';
  let isFollowed = false;
  return runCommand(['mcp', verb, '--workspace', chats.repository.root, ...rest], {
    env: mcp.env,
    onStdout: (text) => {
      printed += text;
      const [url] = /http\S+\/authorize\?\S+(?=\n)/.exec(printed) ?? [];
      if (url === undefined || isFollowed) return;
      isFollowed = true;
      void follow(url);
    },
  });
}

/** What a browser does with the address of a login page whose person says yes. */
const follow = async (url: string): Promise<string> => (await fetch(url)).text();

test(
  verifies('S1:mcp-login', 'codelab mcp login says where to go and that it waits, and keeps the tokens for their owner alone'),
  async () => {
    expect((await codelab('list')).stdout).toMatch(/cloud\s+wants a login/);
    const login = await codelab('login', 'cloud');
    expect(login).toMatchObject({ code: 0, stdout: expect.stringContaining('You are logged in to cloud.') });
    expect(login.stdout).toMatch(/open this address[^]*\/authorize\?\S*code_challenge=[^]*waits up to 5 minutes[^]*Ctrl-C ends the wait/);
    expect(await readdir(logins())).toEqual(['cloud.json']);
    expect((await stat(logins())).mode & 0o777).toBe(0o700);
    expect((await stat(join(logins(), 'cloud.json'))).mode & 0o777).toBe(0o600);
    expect(await codelab('test', 'cloud', '--call', 'secret')).toMatchObject({ code: 0, stdout: 'the secret\n' });

    const before = await kept();
    server.expire();
    expect(await codelab('test', 'cloud', '--call', 'secret')).toMatchObject({ code: 0, stdout: 'the secret\n' });
    expect(server.refreshes()).toBe(1);
    expect(await kept()).not.toBe(before);
    expect((await stat(join(logins(), 'cloud.json'))).mode & 0o777).toBe(0o600);
    for (const token of server.seen) expect(login.stdout + login.stderr + chats.system.logs()).not.toContain(token);

    server.expire();
    server.revoke();
    expect((await codelab('list')).stdout).toMatch(/cloud\s+wants a login/);
    expect(await kept()).not.toContain('access_token');
  },
);

test(verifies('S1:mcp-login', '/mcp login prints the address, waits beside the chat, can be stopped, and brings the tools'), async () => {
  const chat = await chats.open();
  /** The addresses that were printed; each fills rows of its own. */
  const addresses = (): readonly string[] =>
    [...chat.history().matchAll(/^ *(http[^\n]*\/authorize\?[^]*?)(?=^ *This waits)/gm)].map(([, rows = '']) =>
      rows.replaceAll(/\s+/g, ''),
    );
  await mcp.looks(chat, /cloud\s+wants a login/);
  chat.say('/mcp login cloud');
  await chat.shows(/authorize[^]*waits up to 5 minutes[^]*\/mcp logout cloud ends the wait/);
  chat.say('/mcp logout cloud');
  await chat.shows(/login was cancelled/);
  chat.say('/mcp login cloud');
  await chat.until('prints another address', () => addresses().length === 2);
  expect(await follow(addresses()[1]!)).toContain('You are logged in');
  await chat.shows('The MCP server cloud is ready, with 1 tools.');
  chat.say('tell the secret');
  await chat.decide(/cloud:secret/, 'a');
  await chat.shows('Told.');
  expect(JSON.stringify(chats.model.requests.at(-1)?.body.messages)).toContain('the secret');
});

test(verifies('G4:mcp-servers', 'a chat is left at once while a login of one of its servers is waited for'), async () => {
  const chat = await chats.open();
  await mcp.looks(chat, /cloud\s+wants a login/);
  chat.say('/mcp login cloud');
  await chat.shows(/\/mcp logout cloud ends the wait/);
  chat.say('/quit');
  expect(await chat.exited).toBe(0);
});
