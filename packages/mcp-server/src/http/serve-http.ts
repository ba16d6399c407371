import { systemClock, type Clock } from '@codelab/clock';
import { toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler, isJsonContentType, isLegacyRequest } from '@modelcontextprotocol/server';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ServedWorkspace } from '../serve-workspace.js';
import { findRefusal, type Gate } from './guard.js';
import { HttpSessions, rpcError } from './sessions.js';

/** Where the endpoint is. */
export const MCP_PATH = '/mcp';

/** Bytes of a request: a file of 1 MB can be six as JSON. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** How long a caller may take to send a request, in milliseconds. */
const REQUEST_MS = 60_000;

/** How long calls that were given up may take to stop. */
const STOP_MS = 5_000;

export interface HttpOptions extends Gate {
  readonly served: ServedWorkspace;
  /** The address to listen at. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly clock?: Clock;
  readonly onProblem: (message: string) => void;
}

/** An endpoint that is open. */
export interface HttpEndpoint {
  readonly url: string;
  /** Ends all sessions; resolves when nothing runs any more. */
  close(): Promise<void>;
}

/**
 * Serves many programs over Streamable HTTP: those of 2026-07-28 request by request, those of 2025 in sessions. Rejects with what the system says
 * if the address can't be had.
 */
export async function serveOverHttp({ served, host, port, clock = systemClock, onProblem, ...gate }: HttpOptions): Promise<HttpEndpoint> {
  const sessions = new HttpSessions(() => served.connection('legacy'), clock, MAX_BODY_BYTES);
  const onerror = ({ message }: Error): void => onProblem(message);
  const modern = createMcpHandler(served.request, { legacy: 'reject', maxRequestBodySize: MAX_BODY_BYTES, onerror });
  const answer = async (incoming: IncomingMessage, over: Promise<void>, gone: AbortSignal): Promise<Response> => {
    const refusal = findRefusal(incoming.headers, gate);
    if (refusal !== undefined) return rpcError(refusal.status, -32_000, refusal.message, refusal.headers);
    if (new URL(incoming.url ?? '/', 'http://localhost').pathname !== MCP_PATH)
      return rpcError(404, -32_000, `The endpoint is ${MCP_PATH}.`);
    if (incoming.method === 'POST' && !isJsonContentType(incoming.headers['content-type'] ?? ''))
      return rpcError(415, -32_000, 'Content-Type must be application/json');
    const request = await toWebRequest(incoming, undefined, { signal: gone, maxRequestBodySize: MAX_BODY_BYTES });
    const isLegacy = await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_BODY_BYTES });
    return isLegacy ? sessions.serve(request, over) : modern.fetch(request);
  };
  const server = createServer({ requestTimeout: REQUEST_MS }, (incoming, outgoing) => {
    const gone = new AbortController();
    const over = new Promise<void>((resolve) => outgoing.once('close', () => resolve()));
    void over.then(() => gone.abort());
    answer(incoming, over, gone.signal)
      .catch((error: Error & { readonly status?: number }) => {
        if (error.status === 413)
          return rpcError(413, -32_000, `A request has at most ${String(MAX_BODY_BYTES)} bytes.`, { connection: 'close' });
        onProblem(error.message);
        return rpcError(500, -32_603, 'Internal error');
      })
      .then((response) => send(response, outgoing))
      .catch(() => outgoing.destroy()); // the caller is gone
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const address = server.address() as AddressInfo; // it listens at a port
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shownHost}:${String(address.port)}${MCP_PATH}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([sessions.close(), modern.close()]);
      server.closeAllConnections();
      let callOff = (): void => undefined;
      const late = new Promise<void>((resolve) => (callOff = clock.after(STOP_MS, resolve)));
      await Promise.race([served.idle(), late]);
      callOff();
      await closed;
    },
  };
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) return void outgoing.end();
  outgoing.flushHeaders();
  await pipeline(Readable.fromWeb(response.body), outgoing); // DOM's type and Node's are one stream
}
