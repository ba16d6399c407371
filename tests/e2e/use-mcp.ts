import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { eventually } from '@codelab/testkit';
import type { Chat } from './start-chat.js';
import type { Chats } from './use-chats.js';

/** The program of a reference server. */
export const serverEntry = (name: 'server-everything' | 'server-filesystem'): string =>
  join(dirname(createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist/index.js');

export const EVERYTHING = serverEntry('server-everything');
/** The program that behaves as its first argument says. */
export const ODD = fileURLToPath(new URL('tools/odd-mcp-server.mjs', import.meta.url));

/** A server that is a program of Node. */
export const node = (...args: readonly string[]) => ({ command: process.execPath, args });

export interface Mcp {
  /** Writes the person's own `mcp.json`; it is removed behind the test. */
  readonly configure: (mcpServers: object) => Promise<void>;
  /** Looks at `/mcp` until it shows `pattern`, and answers what it showed then. */
  readonly looks: (chat: Chat, pattern: RegExp) => Promise<string>;
  /** The settings of whoever types commands beside the chats. */
  readonly env: NodeJS.ProcessEnv;
}

/** The MCP servers of a person, for the tests of a file. */
export function useMcp(chats: Chats): Mcp {
  const configDir = (): string => join(chats.system.dataDir, 'config');
  afterEach(() => rm(configDir(), { recursive: true, force: true }));
  return {
    get env() {
      return { ...chats.system.env, XDG_CONFIG_HOME: configDir() };
    },
    configure: async (mcpServers) => {
      await mkdir(join(configDir(), 'codelab'), { recursive: true });
      await writeFile(join(configDir(), 'codelab', 'mcp.json'), JSON.stringify({ mcpServers }));
    },
    looks: async (chat, pattern) => {
      let seen = '';
      await eventually(`/mcp shows ${String(pattern)}`, async () => {
        chat.say('/mcp');
        await chat.shows(/MCP servers +\d+ of/);
        seen = chat.screen();
        chat.type('q');
        await chat.until('is back', () => /─{20}/.test(chat.screen()));
        return pattern.test(seen);
      });
      return seen;
    },
  };
}

/** The process of a server that wrote its id, as soon as it runs. */
export async function processOf(file: string): Promise<number> {
  const read = (): Promise<string> => readFile(`${file}.pid`, 'utf8').catch(() => ''); // it has not begun
  await eventually('the server runs', async () => (await read()) !== '');
  return Number(await read());
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // it has ended
  }
}
