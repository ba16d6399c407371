import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConsoleFile, ConsoleFiles, Encoding } from './console-files.js';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** Paths that are not the console's: what programs ask for, and what its own scripts ask for. */
const OTHERS = /^\/(?:api|ws|console|health|ready|metrics|v1)(?:\/|$)/;

/** Files have a dot in their last part; everything else is a place inside the console, which finds its way from there itself. */
const IS_FILE = /\.[^/]*$/;

const DAYS_365 = 31_536_000;

/** Only files of this origin run or are shown, nothing frames the console, and it sends nothing elsewhere. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'",
    "manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'x-frame-options': 'DENY',
};

const NOT_BUILT = [
  'The gateway is here, the web console is not: nobody has built it yet.',
  'In the repository: npx pnpm@12 install && npx pnpm@12 build. GATEWAY_CONSOLE_DIR names another folder that has it.',
  '',
].join('\n');

/** Sets what keeps a page of the console to itself. */
export function protectPage(response: ServerResponse): void {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
}

/** Answers reads of the console's paths with its files, or its `index.html`; passes everything else on. */
export const serveConsole =
  (files: ConsoleFiles): Middleware =>
  (request, response, next) => {
    const path = (request.url ?? '/').split(/[?#]/, 1)[0]!;
    if ((request.method !== 'GET' && request.method !== 'HEAD') || !path.startsWith('/') || OTHERS.test(path)) return next();
    protectPage(response);
    if (!files.isBuilt) return sendText(response, path === '/' ? 200 : 404, NOT_BUILT);
    serve(files, path, request, response).catch((error: unknown) => next(error));
  };

async function serve(files: ConsoleFiles, path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = (await files.find(path)) ?? (IS_FILE.test(path) ? undefined : await files.find('/index.html'));
  if (file === undefined) return sendText(response, 404, 'There is no such file of the console.\n');
  response.setHeader('content-type', file.type);
  response.setHeader('etag', file.etag);
  response.setHeader('vary', 'accept-encoding');
  response.setHeader('cache-control', file.isHashed ? `public, max-age=${String(DAYS_365)}, immutable` : cacheOf(file));
  if (request.headers['if-none-match'] === file.etag) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const encoding = encodingOf(request.headers['accept-encoding']);
  const [whole, bytes] = await Promise.all([file.bytes('identity'), file.bytes(encoding)]);
  if (bytes !== whole) response.setHeader('content-encoding', encoding);
  response.setHeader('content-length', bytes.length);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** The page that names all others is never kept; an icon is asked for again. */
const cacheOf = ({ type }: ConsoleFile): string => (type.startsWith('text/html') ? 'no-store' : 'no-cache');

function encodingOf(accepted: string | string[] | undefined): Encoding {
  const named = String(accepted ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(?:\.0*)?$/.test(part))
    .map((part) => part.split(';', 1)[0]);
  return named.includes('br') ? 'br' : named.includes('gzip') ? 'gzip' : 'identity';
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.setHeader('cache-control', 'no-store');
  response.end(text);
}
