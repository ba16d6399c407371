import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startProtectedServer, verifies, type ProtectedServer } from '@codelab/testkit';
import { fileOAuthStore, type McpServers, type OAuthSettings, type OAuthStore } from '../src/index.js';
import { manage } from './stock-servers.js';

let directory: string;
let ends: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'codelab-oauth-')), 'logins');
});

afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
  await rm(join(directory, '..'), { recursive: true, force: true });
});

async function protect(...settings: Parameters<typeof startProtectedServer>): Promise<ProtectedServer> {
  const server = await startProtectedServer(...settings);
  ends.push(() => server.close());
  return server;
}

interface Login {
  readonly oauth?: OAuthSettings;
  readonly store?: OAuthStore;
  /** What the browser does with the address: it follows it. */
  readonly browse?: (url: string) => Promise<unknown>;
}

const follow = async (url: string): Promise<void> => {
  const response = await fetch(url);
  await response.text();
};

async function connect(
  { url }: ProtectedServer,
  { oauth, store = fileOAuthStore(directory), browse = follow }: Login = {},
): Promise<McpServers> {
  const servers = manage([{ name: 'cloud', transport: { kind: 'http', url, headers: {}, oauth } }], {
    hooks: { tokenStore: store, openBrowser: (address) => void browse(address).catch(() => undefined) },
  });
  ends.push(() => servers.close());
  await servers.start();
  return servers;
}

const statusOf = (servers: McpServers): string => servers.servers()[0]!.status.kind;
const secret = (servers: McpServers) => servers.callTool('cloud', 'secret', {});

test(
  verifies('S1:mcp-login', 'a login to an MCP server goes by PKCE over this machine, and its tokens are kept for their owner alone'),
  async () => {
    const server = await protect();
    const servers = await connect(server);
    expect(servers.servers()[0]).toMatchObject({ status: { kind: 'needs_login', how: 'Log in with: codelab mcp login cloud' } });
    await expect(secret(servers)).rejects.toMatchObject({ code: 'NEEDS_LOGIN' });
    await servers.login('cloud');
    expect(statusOf(servers)).toBe('ready');
    expect((await secret(servers)).content).toEqual([{ type: 'text', text: 'the secret' }]);
    expect(server.registered[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(await readdir(directory)).toEqual(['cloud.json']);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, 'cloud.json'))).mode & 0o777).toBe(0o600);
    const again = await connect(server);
    expect(statusOf(again)).toBe('ready');
    await again.logout('cloud');
    expect(statusOf(again)).toBe('needs_login');
    expect(await readdir(directory)).toEqual([]);
  },
);

test('a client that was registered by hand registers no more', async () => {
  const server = await protect({ clients: ['by-hand'] });
  const servers = await connect(server, { oauth: { clientId: 'by-hand', scope: 'mcp' } });
  await servers.login('cloud');
  expect(statusOf(servers)).toBe('ready');
  expect(server.registered).toEqual([]);
});

test(verifies('S1:mcp-refresh', 'a token that ends is refreshed once, however many calls and processes need it'), async () => {
  const server = await protect();
  const first = await connect(server);
  await first.login('cloud');
  const second = await connect(server); // as another process has it: another store over the same files
  server.expire();
  const calls = [first, second].flatMap((servers) => [secret(servers), secret(servers), secret(servers)]);
  await Promise.all(calls);
  expect(server.refreshes()).toBe(1);
});

test('a token is refreshed before it ends', async () => {
  const server = await protect({ lifetime: 30 });
  const servers = await connect(server);
  await servers.login('cloud');
  const before = server.refreshes();
  await secret(servers);
  expect(server.refreshes()).toBeGreaterThan(before);
});

test('a login that was taken back is asked for again', async () => {
  const server = await protect();
  const servers = await connect(server);
  await servers.login('cloud');
  server.expire();
  server.revoke();
  await expect(secret(servers)).rejects.toMatchObject({ code: 'NEEDS_LOGIN' });
  expect(statusOf(servers)).toBe('needs_login');
  expect(await readFile(join(directory, 'cloud.json'), 'utf8')).not.toContain('access_token');
});

test('who comes back with another state is not let in', async () => {
  const server = await protect();
  const told: number[] = [];
  const browse = async (url: string): Promise<void> => {
    const redirect = new URL(url).searchParams.get('redirect_uri')!;
    for (const query of ['?code=stolen', '?code=stolen&state=guessed']) told.push((await fetch(redirect + query)).status);
    await follow(url);
  };
  const servers = await connect(server, { browse });
  await servers.login('cloud');
  expect(told).toEqual([400, 400]);
  expect(statusOf(servers)).toBe('ready');
});

test('a login that nobody finishes is ended by its caller', async () => {
  const server = await protect();
  const servers = await connect(server, { browse: () => Promise.resolve() });
  const cancel = new AbortController();
  const login = servers.login('cloud', { signal: cancel.signal });
  setTimeout(() => cancel.abort(), 50);
  await expect(login).rejects.toMatchObject({ code: 'REFUSED', message: expect.stringContaining('was cancelled') as unknown });
});

test('a login that is waited for ends with the servers', async () => {
  const server = await protect();
  let isOpened = (): void => undefined;
  const opened = new Promise<void>((resolve) => (isOpened = resolve));
  const servers = await connect(server, { browse: () => Promise.resolve(isOpened()) });
  const login = servers.login('cloud').catch((error: unknown) => error);
  await opened;
  await servers.close();
  expect(await login).toMatchObject({ code: 'REFUSED', message: expect.stringContaining('was cancelled') as unknown });
});

test.each([
  ['a page that is a file', { authorization_endpoint: 'file:///etc/passwd' }],
  ['a page that is a script', { authorization_endpoint: 'javascript:alert(1)' }],
  ['a page elsewhere without https', { authorization_endpoint: 'http://example.org/authorize' }],
  ['tokens at the address of a cloud', { token_endpoint: 'http://169.254.169.254/token' }],
  ['another issuer', { issuer: 'https://example.org' }],
])('a login that leads to %s is refused', async (_, metadata) => {
  const opened: string[] = [];
  const server = await protect({ metadata });
  const browse = (url: string): Promise<void> => {
    opened.push(url);
    return follow(url);
  };
  const servers = await connect(server, { browse });
  await expect(servers.login('cloud')).rejects.toMatchObject({ code: 'REFUSED' });
  expect(statusOf(servers)).toBe('needs_login');
  for (const url of opened) expect(url.startsWith(server.issuer)).toBe(true);
});

test('a token goes to no other server than the one that it was issued for', async () => {
  const [one, two] = [await protect(), await protect()];
  await (await connect(one)).login('cloud');
  const moved = await connect(two); // the same name and files, another URL
  expect(statusOf(moved)).toBe('needs_login');
  expect(two.seen.size).toBe(0);
});
