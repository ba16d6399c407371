import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A server with tools by URL, one for each path, that answers when a test says so. */
export interface ToolServer {
  readonly url: (path: string) => string;
  /** Calls that came, by path, with their answers still to be given. */
  readonly calls: { readonly path: string; readonly body: string; readonly response: ServerResponse }[];
  countOf(path: string): number;
  close(): Promise<void>;
}

/** @param onCall answers a call; one that it leaves open hangs */
export async function startToolServer(
  onCall: (path: string, response: ServerResponse, count: number) => void = () => undefined,
): Promise<ToolServer> {
  const calls: ToolServer['calls'] = [];
  const countOf = (path: string): number => calls.filter((call) => call.path === path).length;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const path = request.url ?? '';
      calls.push({ path, body, response });
      onCall(path, response, countOf(path));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${String(port)}${path}`,
    calls,
    countOf,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Answers with one context item. */
export const answerItem = (response: ServerResponse, content: string): void =>
  void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ output: [{ name: 'Answer', description: 'What it says', content, uri: 'https://example.com/a' }] }));
