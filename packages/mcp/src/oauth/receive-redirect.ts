import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How long a person may take to log in. */
export const LOGIN_WAIT_MS = 5 * 60_000;

const PATH = '/callback';

/** Waits for the browser to come back from a login. */
export interface RedirectReceiver {
  /** Where the authorization server sends the browser. */
  readonly url: string;
  /** What it came with: of the first request with the right state. Rejects when nobody comes within 5 minutes, or `signal` aborts. */
  wait(state: string, signal?: AbortSignal): Promise<URLSearchParams>;
  close(): Promise<void>;
}

/** Listens on this machine alone, at a free port unless one is named. */
export async function openRedirectReceiver(port = 0): Promise<RedirectReceiver> {
  let expected: { readonly state: string; readonly resolve: (params: URLSearchParams) => void } | undefined;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method !== 'GET' || url.pathname !== PATH) return answer(response, 404, 'There is nothing here.');
    if (expected === undefined || url.searchParams.get('state') !== expected.state) {
      return answer(response, 400, 'This is not the login that is waited for. Begin it anew.');
    }
    const failed = url.searchParams.has('error');
    answer(response, 200, failed ? 'The login was refused. You may close this page.' : 'You are logged in. You may close this page.');
    expected.resolve(url.searchParams);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    wait: (state, signal) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => end(new Error('nobody logged in within 5 minutes')), LOGIN_WAIT_MS);
        const onAbort = (): void => end(new Error('the login was cancelled'));
        const end = (error?: Error, params?: URLSearchParams): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          expected = undefined;
          if (error === undefined) resolve(params!);
          else reject(error);
        };
        if (signal?.aborted === true) return onAbort();
        signal?.addEventListener('abort', onAbort, { once: true });
        expected = { state, resolve: (params) => end(undefined, params) };
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(`<!doctype html><meta charset="utf-8"><title>CodeLab</title><p>${text}</p>`);
}
