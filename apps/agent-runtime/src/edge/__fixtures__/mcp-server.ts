import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

/** A remote MCP server whose tools a test changes: `greet`, and `fail`, which fails. */
export interface ChangingServer {
  readonly url: string;
  /** The `authorization` header of each request. */
  readonly authorizations: readonly (string | undefined)[];
  /** Requests that are answered with a redirect there, instead of at all. */
  redirectTo: string | undefined;
  /** The one token that is taken; `undefined`: any request is. */
  token: string | undefined;
  /** Says something else of `greet` from now on, and tells everybody who is connected. */
  describe(description: string): void;
  close(): Promise<void>;
}

/** @param resources texts by their uri */
export async function startMcpServer(resources: Readonly<Record<string, string>> = {}): Promise<ChangingServer> {
  const sessions = new Map<string, { transport: StreamableHTTPServerTransport; change: (text: string) => void }>();
  const authorizations: (string | undefined)[] = [];
  let description = 'Greets.';
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const server = new McpServer({ name: 'changing', version: '1' });
    const greet = server.registerTool('greet', { description, inputSchema: { name: z.string() } }, ({ name }) => ({
      content: [{ type: 'text', text: `hello ${name}` }],
    }));
    server.registerTool('fail', { description: 'Fails.' }, () => ({ isError: true, content: [{ type: 'text', text: 'it failed' }] }));
    for (const [uri, text] of Object.entries(resources)) {
      server.registerResource(`the ${uri}`, uri, { mimeType: 'text/plain' }, () => ({ contents: [{ uri, text }] }));
    }
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { transport, change: (text) => greet.update({ description: text }) }),
    });
    await server.connect(transport);
    return transport;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    authorizations.push(request.headers.authorization);
    if (running.redirectTo !== undefined) return void response.writeHead(307, { location: running.redirectTo }).end();
    if (running.token !== undefined && request.headers.authorization !== `Bearer ${running.token}`) {
      return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    }
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (typeof id === 'string' && known === undefined) return void response.writeHead(404).end();
    await (known?.transport ?? (await open())).handleRequest(request, response);
  };
  const http = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const running: ChangingServer = {
    url: `http://127.0.0.1:${String((http.address() as AddressInfo).port)}/mcp`,
    authorizations,
    redirectTo: undefined,
    token: undefined,
    describe: (text) => {
      description = text;
      for (const { change } of sessions.values()) change(text);
    },
    close: async () => {
      for (const { transport } of sessions.values()) await transport.close();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  return running;
}
