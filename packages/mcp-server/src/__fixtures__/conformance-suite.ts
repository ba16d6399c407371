import { execFile } from 'node:child_process';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The suite uses `fs.globSync`. */
const OLDEST_NODE = 22;
const PROGRAM = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

/** How long fetching a newer Node may take, in milliseconds. */
const FETCH_MS = 90_000;

/** A Node that the suite runs on: this one, or one that npm fetches; the reason where there is none. */
export async function findNode(): Promise<{ readonly node: string } | { readonly why: string }> {
  if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) return { node: process.execPath };
  try {
    const words = ['--yes', '--package', `node@${String(OLDEST_NODE)}`, 'node', '-p', 'process.execPath'];
    const { stdout } = await run('npx', words, { timeout: FETCH_MS });
    return { node: stdout.trim().split('\n').at(-1)! };
  } catch {
    return { why: `the suite needs Node ${String(OLDEST_NODE)}, this is ${process.versions.node}, and npx could not fetch one` };
  }
}

/** Runs the suite; the output has a summary at its end. It exits with 1 where anything failed. */
export async function runSuite(node: string, words: readonly string[]): Promise<string> {
  const done = await run(node, [PROGRAM, ...words], { maxBuffer: 64 * 1024 * 1024 }).catch((error: { stdout: string; stderr: string }) => error);
  return `${done.stdout}${done.stderr}`;
}

/** A door before an endpoint that adds the token, which the suite can't send. Everything else goes through as it is. */
export async function openDoor(url: string, token: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { hostname, port, pathname } = new URL(url);
  const server: Server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const inner = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      outgoing.on('close', () => answer.destroy());
    });
    inner.on('error', () => outgoing.destroy());
    incoming.pipe(inner);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(own)}${pathname}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
