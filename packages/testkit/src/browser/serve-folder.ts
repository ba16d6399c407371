import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/** A folder of built pages at a port of its own. */
export interface ServedFolder {
  /** `http://127.0.0.1:…` */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the files of a folder, under a strict policy: pages of ours need no inline script or style. */
export async function serveFolder(root: string): Promise<ServedFolder> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://a').pathname);
    const file = join(root, path.endsWith('/') ? join(path, 'index.html') : path);
    readFile(file).then(
      (body) =>
        response
          .writeHead(200, {
            'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
            'content-security-policy':
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'",
          })
          .end(body),
      () => response.writeHead(path === '/favicon.ico' ? 204 : 404).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
