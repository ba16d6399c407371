import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRedis, verifies } from '@codelab/testkit';
import { useGateways } from '../__fixtures__/use-gateways.js';
import type { TestGateway } from '../__fixtures__/start-gateway.js';

const SCRIPT = `export const text = '${'x'.repeat(5_000)}';\n`;

let root: string;
let gateway: TestGateway;
const fixture = useGateways(startRedis);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'codelab-console-'));
  const folder = join(root, 'dist');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(root, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>CodeLab</title>');
  await writeFile(join(folder, 'assets/index-Aakhy6Di.js'), SCRIPT);
  await writeFile(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await symlink(join(root, 'secret.txt'), join(folder, 'link.txt'));
});

afterAll(() => rm(root, { recursive: true, force: true }));

const start = async (): Promise<TestGateway> => (gateway = await fixture.another({ consoleDir: join(root, 'dist') }));

interface RawReply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** Asks as it stands: `fetch` would tidy a path up, and unpack what comes. */
const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(gateway.url);
    const asked = request({ hostname, port, path, method, headers: { ...headers }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }));
    });
    asked.on('error', reject);
    asked.end();
  });

test(verifies('W1:console-csp', 'every page of the console forbids scripts, styles, frames and connections from elsewhere'), async () => {
  await start();
  for (const path of ['/', '/sessions/ses_1', '/nowhere.js']) {
    const { headers } = await ask(path);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; " +
        "manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    );
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  }
});

test(
  verifies('G2:console-files', 'hashed files may be kept for ever and come squeezed, the page that names them is never kept'),
  async () => {
    await start();
    const page = await ask('/');
    expect([page.status, page.headers['cache-control'], page.body.toString()]).toEqual([
      200,
      'no-store',
      '<!doctype html><title>CodeLab</title>',
    ]);
    const script = await ask('/assets/index-Aakhy6Di.js');
    expect([script.headers['cache-control'], script.body.toString()]).toEqual(['public, max-age=31536000, immutable', SCRIPT]);
    for (const encoding of ['br', 'gzip']) {
      const squeezed = await ask('/assets/index-Aakhy6Di.js', { 'accept-encoding': `${encoding}, deflate` });
      expect(squeezed.headers['content-encoding']).toBe(encoding);
      expect(squeezed.body.length).toBeLessThan(200);
    }
    expect((await ask('/assets/index-Aakhy6Di.js', { 'if-none-match': String(script.headers['etag']) })).status).toBe(304);
    expect((await ask('/favicon.svg')).headers['content-type']).toBe('image/svg+xml');
    expect((await ask('/', {}, 'HEAD')).body).toHaveLength(0);
  },
);

test(verifies('G2:console-places', 'a place inside the console gets its page, and what programs ask for does not'), async () => {
  await start();
  expect((await ask('/sessions/ses_1')).body.toString()).toContain('<title>CodeLab</title>');
  expect((await ask('/sessions/ses_1?q=1')).status).toBe(200);
  expect((await ask('/assets/gone-Aakhy6Di.js')).status).toBe(404);
  for (const path of ['/api/v1/sessions', '/api/v1/nothing', '/console/nothing', '/health/x', '/v1/models', '/ws/s1']) {
    const { status, body } = await ask(path);
    expect([path, status, JSON.parse(body.toString())]).toEqual([path, expect.any(Number), { error: expect.anything() }]);
  }
  expect(JSON.parse((await ask('/health')).body.toString())).toMatchObject({ status: 'ok' });
  expect((await ask('/sessions/ses_1', {}, 'POST')).status).toBe(404);
});

test.each([
  '/../secret.txt',
  '/assets/../../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/..\\secret.txt',
  '//secret.txt',
  '/link.txt',
  '/assets/%00.js',
])(verifies('W1:console-files', 'nothing outside the files of the console is served: %s'), async (path) => {
  await start();
  const { status, body } = await ask(path);
  expect([status, body.includes('secret')]).toEqual([404, false]);
});

test('a console that was built anew is read anew', async () => {
  await start();
  await ask('/');
  await writeFile(join(root, 'dist/index.html'), '<!doctype html><title>Anew</title>');
  await utimes(join(root, 'dist/index.html'), new Date(), new Date(Date.now() + 5_000));
  expect((await ask('/')).body.toString()).toContain('Anew');
  await writeFile(join(root, 'dist/index.html'), '<!doctype html><title>CodeLab</title>');
});

test('a gateway without a console says how to get one', async () => {
  gateway = await fixture.another({ consoleDir: join(root, 'nothing') });
  const { status, headers, body } = await ask('/');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body.toString()).toContain('build');
});
