import { request as httpRequest } from 'node:http';
import { mkdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openWorkspace } from '@codelab/workspace';
import { eventually, FakeClock, verifies, watchLeaks } from '@codelab/testkit';
import { useServedFolder } from '../__fixtures__/served-folder.js';

const folder = useServedFolder();
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request as any program can make it, its Host included. */
const send = (url: string, { method = 'POST', path, headers = {}, body = '' }: Sent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(url);
    const accept = 'application/json, text/event-stream';
    const request = httpRequest(
      { hostname, port, path: path ?? pathname, method, headers: { 'content-type': 'application/json', accept, ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });

const known = (): Record<string, string> => ({ authorization: `Bearer ${folder.token}` });

test(verifies('G1:mcp-serve-door', 'without the token, from a foreign page or under a foreign name nothing is answered'), async () => {
  const { url } = await folder.serve();
  const body = JSON.stringify(INITIALIZE);
  const none = await send(url, { body });
  expect(none).toMatchObject({ status: 401, headers: { 'www-authenticate': expect.stringContaining('Bearer') } });
  expect(await send(url, { body, headers: { authorization: 'Bearer wrong' } })).toMatchObject({ status: 401 });
  expect(await send(url, { body, headers: { authorization: `Basic ${folder.token}` } })).toMatchObject({ status: 401 });
  expect(await send(`${url}?token=${folder.token}`, { body })).toMatchObject({ status: 401 });
  expect(await send(url, { body, headers: { ...known(), origin: 'https://evil.example' } })).toMatchObject({ status: 403 });
  expect(await send(url, { body, headers: { ...known(), origin: 'null' } })).toMatchObject({ status: 403 });
  expect(await send(url, { body, headers: { ...known(), host: 'rebound.example' } })).toMatchObject({ status: 403 });
  expect(await send(url, { body, headers: { ...known(), origin: 'http://localhost:3000' } })).toMatchObject({ status: 200 });
  expect(folder.problems.join('')).not.toContain(folder.token);
});

test(verifies('G2:mcp-serve-requests', 'what is no request of MCP is refused, and what is too large, too'), async () => {
  const { url } = await folder.serve();
  const headers = known();
  expect(await send(url, { headers, path: '/' })).toMatchObject({ status: 404 });
  expect(await send(url, { headers: { ...headers, 'content-type': 'text/plain' }, body: '{}' })).toMatchObject({ status: 415 });
  expect(await send(url, { headers, body: '{' })).toMatchObject({ status: 400 });
  expect(await send(url, { headers, method: 'GET' })).toMatchObject({ status: 400 });
  expect(
    await send(url, { headers: { ...headers, 'mcp-session-id': 'none' }, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }),
  ).toMatchObject({
    status: 404,
  });
  const large = JSON.stringify({ ...INITIALIZE, padding: 'x'.repeat(11 * 1024 * 1024) });
  const refused = await send(url, { headers, body: large }).catch(() => ({ status: 413 })); // it may hang up while it is being told
  expect(refused).toMatchObject({ status: 413 });
  expect(await send(url, { headers, body: JSON.stringify(INITIALIZE) })).toMatchObject({ status: 200 });
});

const begin = async (url: string): Promise<string> =>
  String((await send(url, { headers: known(), body: JSON.stringify(INITIALIZE) })).headers['mcp-session-id']);

const ping = (url: string, session: string): Promise<Answer> =>
  send(url, { headers: { ...known(), 'mcp-session-id': session }, body: '{"jsonrpc":"2.0","id":2,"method":"ping"}' });

test(verifies('G4:mcp-serve-sessions', 'sessions are bounded, end by DELETE and by time, and many live side by side'), async () => {
  const clock = new FakeClock(Date.now());
  const { url } = await folder.serve({ clock });
  const first = await begin(url);
  const second = await begin(url);
  expect(await ping(url, second)).toMatchObject({ status: 200 });
  expect(await send(url, { method: 'DELETE', headers: { ...known(), 'mcp-session-id': second } })).toMatchObject({ status: 200 });
  expect(await ping(url, second)).toMatchObject({ status: 404 });
  clock.advanceSync(1);
  const others: string[] = [];
  for (let count = 0; count < 64; count += 1) others.push(await begin(url));
  expect(await ping(url, first)).toMatchObject({ status: 404 }); // the oldest one made room
  expect(await ping(url, others.at(-1)!)).toMatchObject({ status: 200 });
  await clock.advance(31 * 60_000);
  await clock.advance(31 * 60_000);
  expect(await ping(url, others.at(-1)!)).toMatchObject({ status: 404 });
});

test(verifies('G3:mcp-serve-resume', 'a stream that broke goes on where it was, from a bounded memory'), async () => {
  const { EventLog } = await import('./event-log.js');
  const log = new EventLog();
  const message = (id: number) => ({ jsonrpc: '2.0' as const, id, result: {} });
  const first = await log.storeEvent('a', message(1));
  await log.storeEvent('b', message(2));
  await log.storeEvent('a', message(3));
  const sent: unknown[] = [];
  expect(await log.replayEventsAfter(first, { send: (_, each) => Promise.resolve(void sent.push(each)) })).toBe('a');
  expect(sent).toEqual([message(3)]);
  for (let id = 0; id < 1_000; id += 1) await log.storeEvent('a', message(id));
  expect(await log.getStreamIdForEventId(first)).toBeUndefined();
});

test(verifies('R1:mcp-serve-writes', 'two servers of one folder write one after another'), async () => {
  await mkdir(folder.dataDir, { recursive: true });
  let now = 0;
  let most = 0;
  const spy = async (): Promise<Awaited<ReturnType<typeof openWorkspace>>> => {
    const workspace = await openWorkspace({ root: folder.root, dataDir: folder.dataDir });
    const run = workspace.run.bind(workspace);
    workspace.run = async (...call) => {
      now += 1;
      most = Math.max(most, now);
      return run(...call).finally(() => (now -= 1));
    };
    return workspace;
  };
  await folder.serve({ workspace: await spy(), approve: 'all' });
  const one = await folder.connect({ sdk: 'v2 of 2025' });
  await folder.serve({ workspace: await spy(), approve: 'all' });
  const other = await folder.connect({ sdk: 'v2 of 2026' });
  const calls = Array.from({ length: 8 }, (_, at) =>
    (at % 2 === 0 ? one : other).call('write_file', { path: `${String(at)}.txt`, content: 'x' }),
  );
  expect((await Promise.all(calls)).every(({ isError }) => !isError)).toBe(true);
  expect(most).toBe(1);
});

test(verifies('L2:mcp-serve-close', 'an endpoint that closes leaves no command, no socket and no timer'), async () => {
  const leaks = watchLeaks();
  const endpoint = await folder.serve({ approve: 'all' });
  const program = await folder.connect({ sdk: 'v1' });
  const call = program.call('run_command', { command: 'touch begun; sleep 600', timeout_ms: 600_000 }).catch(() => undefined);
  await eventually('it runs', () =>
    folder.read('begun').then(
      () => true,
      () => false,
    ),
  );
  await endpoint.close();
  await program.close().catch(() => undefined);
  await call;
  await eventually('nothing is left', () => leaks().length === 0);
});
