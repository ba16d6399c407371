import type { Server, IncomingMessage, ServerResponse } from 'node:http';
import type { UnauthenticatedSockets } from './unauthenticated-sockets.js';
import { hostOf, judgeSource, type SourceRules } from '@codelab/auth';

const SWEEP_MS = 250;
/** Node looks at its connections this often at most; its own default would make any deadline 30 s longer. */
const MAX_CHECK_MS = 1_000;

/** Has every socket of a server counted until it has authenticated, and its headers awaited for a short time only. Before it listens. */
export function guardServer(server: Server, sockets: UnauthenticatedSockets, headersTimeoutMs: number): void {
  server.headersTimeout = headersTimeoutMs;
  (server as Server & { connectionsCheckingInterval: number }).connectionsCheckingInterval = Math.min(MAX_CHECK_MS, headersTimeoutMs / 4);
  server.on('connection', (socket) => sockets.arrive(socket));
  let sweptMs = Date.now();
  const timer = setInterval(() => {
    const isLate = Date.now() - sweptMs > 2 * SWEEP_MS; // this process was busy: what the sockets have sent is still to be read
    sweptMs = Date.now();
    if (!isLate) sockets.sweep();
  }, SWEEP_MS).unref();
  server.once('close', () => clearInterval(timer));
}

/** What a refusal for the sake of the `Host` header says: which setting helps. */
const FOREIGN_HOST = 'this service is not known by the name in the Host header: list it in CODELAB_ALLOWED_HOSTS';

/** Refuses every request by a name that is not ours, health and metrics included: a page elsewhere reads nothing by DNS rebinding. */
export const guardHost =
  (rules: SourceRules) =>
  (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (judgeSource({ host: hostOf(request) }, rules) === 'welcome') return next();
    response.statusCode = 403;
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('connection', 'close');
    response.end(JSON.stringify({ error: { code: 'FORBIDDEN', message: FOREIGN_HOST, retryable: false } }));
  };
