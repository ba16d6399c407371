import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { McpServerConfig } from '../src/config/mcp-server-config.js';
import { openMcpServers, type OpenMcpServersOptions } from '../src/servers/open-mcp-servers.js';
import type { McpServers } from '../src/servers/mcp-servers.js';

const require = createRequire(import.meta.url);
const entryOf = (name: string): string => join(dirname(require.resolve(`${name}/package.json`)), 'dist/index.js');

export const EVERYTHING = entryOf('@modelcontextprotocol/server-everything');
export const FILESYSTEM = entryOf('@modelcontextprotocol/server-filesystem');

/** The few variables that a program needs. */
export const environment: Readonly<Record<string, string>> = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };

export const program = (name: string, ...args: readonly string[]): McpServerConfig => ({
  name,
  transport: { kind: 'stdio', command: process.execPath, args, env: {} },
});

/** A manager of some servers, for a test. */
export const manage = (servers: readonly McpServerConfig[], more: Partial<OpenMcpServersOptions> = {}): McpServers =>
  openMcpServers({ servers, clientInfo: { name: 'codelab-test', version: '0' }, cwd: process.cwd(), environment, ...more });

export interface RunningServer {
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** A port that was free a moment ago, for programs that can't tell which one they took. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The server with every feature, over Streamable HTTP or the transport before it. */
export async function startEverything(kind: 'streamableHttp' | 'sse'): Promise<RunningServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [EVERYTHING, kind], {
    env: { ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      if (/listening|running/i.test(chunk.toString())) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error('server-everything ended')));
  });
  return {
    url: `http://127.0.0.1:${port}/${kind === 'sse' ? 'sse' : 'mcp'}`,
    child,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
