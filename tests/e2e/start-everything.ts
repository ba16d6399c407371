import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const PROGRAM = join(dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')), 'dist/index.js');

/** The reference server with every feature of MCP, over Streamable HTTP. */
export interface Everything {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts it at a port that was free a moment ago: it can't tell which one it took. */
export async function startEverything(): Promise<Everything> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [PROGRAM, 'streamableHttp'], {
    env: { PATH, HOME, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      if (/listening/i.test(chunk.toString())) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void exited.then(() => reject(new Error('server-everything ended')));
  });
  return {
    url: `http://127.0.0.1:${String(port)}/mcp`,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
