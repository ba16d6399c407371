import type { RequestListener, Server } from 'node:http';
import type { HttpApi } from './http-api.js';

/** Longer than the pools of usual clients keep a connection: who of the two closes it last is not surprised by the other. */
const KEEP_ALIVE_MS = 65_000;

/** Node's own limit on a whole request stays a little above ours, which answers in the caller's dialect. */
const SPARE_MS = 60_000;

/** Puts the API before what listens on the server already, which gets the requests that are not for it. */
export function mountHttpApi(server: Server, api: HttpApi, { bodyTimeoutMs }: { readonly bodyTimeoutMs: number }): void {
  const others = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (api.take(request, response)) return;
    for (const listener of others) listener.call(server, request, response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = bodyTimeoutMs + SPARE_MS;
}
