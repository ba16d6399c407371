import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually, verifies, watchLeaks } from '@codelab/testkit';
import type { McpHooks, McpServerConfig, McpServers, McpServerState } from '../src/index.js';
import { environment, manage, program } from './stock-servers.js';

const HOSTILE = fileURLToPath(new URL('./hostile-server.mjs', import.meta.url));

/** What one misbehaving server may cost in memory, in bytes: several of the largest message. */
const MAX_GROWTH = 400 * 1024 * 1024;

let ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

interface Arena {
  readonly servers: McpServers;
  readonly state: () => McpServerState;
  readonly call: (tool?: string, timeoutMs?: number) => ReturnType<McpServers['callTool']>;
}

/** The hostile server beside a good one. */
async function meet(
  behaviour: string,
  kind: 'stdio' | 'http' = 'stdio',
  { hooks = {}, env = {} }: { hooks?: McpHooks; env?: Record<string, string> } = {},
): Promise<Arena> {
  const hostile = kind === 'stdio' ? await byStdio(behaviour) : await overHttp(behaviour, env);
  const servers = manage([hostile, program('good', HOSTILE, 'good')], { hooks, connectTimeoutMs: 2_500 });
  ends.push(() => servers.close());
  await servers.start();
  return {
    servers,
    state: () => servers.servers()[0]!,
    call: (tool = 'echo', timeoutMs = 5_000) => servers.callTool('hostile', tool, { text: 'hi' }, { timeoutMs }),
  };
}

async function byStdio(behaviour: string): Promise<McpServerConfig> {
  const notes = await mkdtemp(join(tmpdir(), 'codelab-hostile-'));
  ends.push(() => rm(notes, { recursive: true, force: true }));
  return program('hostile', HOSTILE, behaviour, join(notes, 'calls'));
}

async function overHttp(behaviour: string, env: Record<string, string>): Promise<McpServerConfig> {
  const child = spawn(process.execPath, [HOSTILE, behaviour, 'http'], {
    env: { ...environment, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  ends.push(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { name: 'hostile', transport: { kind: 'http', url: line.toString().trim(), headers: { 'x-key': 'ours' } } };
}

/** The other server answers, and soon, whatever the hostile one does. */
async function goodWorks({ servers }: Arena): Promise<void> {
  const begun = Date.now();
  const result = await servers.callTool('good', 'echo', { text: 'still here' });
  expect(result.content).toEqual([{ type: 'text', text: 'echo still here' }]);
  expect(Date.now() - begun).toBeLessThan(2_000);
}

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'answered',
    (error: { readonly code?: string }) => error.code,
  );

/** What each behaviour comes to: the status of the server, and what a call gets, by its code. */
const STDIO: readonly (readonly [behaviour: string, status: McpServerState['status']['kind'], call: string | undefined])[] = [
  ['hang-initialize', 'failed', undefined],
  ['initialize-wrong', 'failed', undefined],
  ['initialize-old', 'failed', undefined],
  ['die-at-start', 'failed', undefined],
  ['hang-call', 'ready', 'TIMEOUT'],
  ['die-in-call', 'ready', 'OUTCOME_UNKNOWN'],
  ['long-line', 'ready', 'OUTCOME_UNKNOWN'],
  ['huge-result', 'ready', 'OUTCOME_UNKNOWN'],
  ['large-result', 'ready', 'answered'],
  ['wrong-types', 'ready', 'INVALID_ANSWER'],
  ['not-json-rpc', 'ready', 'TIMEOUT'],
  ['deep-result', 'ready', 'INVALID_ANSWER'],
  ['error-text', 'ready', 'REFUSED'],
  ['wrong-ids', 'ready', 'answered'],
  ['progress-storm', 'ready', 'answered'],
  ['list-storm', 'ready', 'answered'],
  ['many-tools', 'ready', 'UNKNOWN_TOOL'],
  ['cursor-loop', 'ready', 'UNKNOWN_TOOL'],
  ['endless-pages', 'ready', 'UNKNOWN_TOOL'],
  ['list-is-none', 'ready', 'UNKNOWN_TOOL'],
  ['names', 'ready', 'answered'],
  ['descriptions', 'ready', 'answered'],
  ['schemas', 'ready', 'answered'],
  ['resources-wrong', 'ready', 'answered'],
  ['instructions', 'ready', 'answered'],
  ['elicit-storm', 'ready', 'answered'],
  ['ignores-end', 'ready', 'answered'],
];

describe(
  verifies('S1:mcp-hostile', 'whatever an MCP server does costs one call or itself: no other server, not the manager, and bounded memory'),
  () => {
    test.each(STDIO)('a program that does this: %s', async (behaviour, status, outcome) => {
      const before = process.memoryUsage().rss;
      const arena = await meet(behaviour);
      expect(arena.state().status.kind).toBe(status);
      const timeout = outcome === 'TIMEOUT' ? 300 : 5_000;
      if (outcome !== undefined) {
        const [code] = await Promise.all([codeOf(arena.call('echo', timeout)), goodWorks(arena)]);
        expect(code).toBe(outcome);
      }
      await goodWorks(arena);
      expect(arena.state().notes.length).toBeLessThanOrEqual(20);
      expect(JSON.stringify([arena.state(), arena.servers.tools()]).length).toBeLessThan(400_000);
      expect(JSON.stringify(arena.servers.servers())).not.toMatch(/\\u001b/);
      expect(process.memoryUsage().rss - before).toBeLessThan(MAX_GROWTH);
    });

    test.each<readonly [string, McpServerState['status']['kind'], string | undefined]>([
      ['hang-initialize', 'failed', undefined],
      ['status-500', 'failed', undefined],
      ['html', 'failed', undefined],
      ['redirect-metadata', 'failed', undefined],
      ['login-file', 'needs_login', 'NEEDS_LOGIN'],
      ['http-hangs', 'ready', 'TIMEOUT'],
      ['hang-call', 'ready', 'TIMEOUT'],
      ['stream-ends', 'ready', 'OUTCOME_UNKNOWN'],
      ['cut', 'ready', 'OUTCOME_UNKNOWN'],
      ['endless-event', 'ready', 'OUTCOME_UNKNOWN'],
      ['endless-json', 'ready', 'OUTCOME_UNKNOWN'],
      ['huge-result', 'ready', 'OUTCOME_UNKNOWN'],
      ['large-result', 'ready', 'answered'],
      ['wrong-types', 'ready', 'INVALID_ANSWER'],
      ['wrong-ids', 'ready', 'answered'],
      ['progress-storm', 'ready', 'answered'],
      ['forgets', 'ready', 'answered'],
    ])('a server at a URL that does this: %s', async (behaviour, status, outcome) => {
      const before = process.memoryUsage().rss;
      const arena = await meet(behaviour, 'http');
      expect(arena.state().status.kind).toBe(status);
      if (outcome !== undefined) {
        const [code] = await Promise.all([codeOf(arena.call('echo', outcome === 'TIMEOUT' ? 300 : 5_000)), goodWorks(arena)]);
        expect(code).toBe(outcome);
      }
      await goodWorks(arena);
      expect(process.memoryUsage().rss - before).toBeLessThan(MAX_GROWTH);
    });

    test.each(['flood', 'noise', 'close-stdout', 'restart-loop'])(
      'a program that does this is given up for a while: %s',
      async (behaviour) => {
        const arena = await meet(behaviour);
        const failed = await eventually('it is given up', () => {
          const { status } = arena.state();
          return status.kind === 'failed' ? status : undefined;
        });
        expect(failed.retryAt).toBeGreaterThan(Date.now() - 5_000);
        await goodWorks(arena);
      },
    );
  },
);

test('a program that ends at once is told with its last words, one that is not there with where it comes from', async () => {
  const { state } = await meet('die-at-start');
  expect(state().status).toMatchObject({
    kind: 'failed',
    why: expect.stringMatching(/code 3.*cannot open the database: no such file/) as unknown,
  });
  const missing: McpServerConfig = { name: 'm', transport: { kind: 'stdio', command: 'uvx', args: [], env: { PATH: '/nowhere' } } };
  const servers = manage([missing, { ...missing, name: 'n', transport: { kind: 'stdio', command: '/no/such/thing', args: [], env: {} } }]);
  ends.push(() => servers.close());
  await servers.start();
  expect(servers.servers().map(({ status }) => (status.kind === 'failed' ? status.why : ''))).toEqual([
    '"uvx" is not there. It comes with uv: install that from https://docs.astral.sh/uv.',
    '"/no/such/thing" is not there. Install it, or write its whole path as the command.',
  ]);
});

test('10,000 tools are cut to 128, and pages without end to what came; both are told', async () => {
  const many = await meet('many-tools');
  expect(many.state()).toMatchObject({ tools: 128, notes: ['It offers 10,000 tools; the first 128 are used.'] });
  const loop = await meet('cursor-loop');
  expect(loop.state()).toMatchObject({ tools: 2, notes: ['Its list of tools does not end; what came until then is used.'] });
});

test('names that imitate are of this server alone, and names that hide are left out', async () => {
  const { servers, state } = await meet('names');
  const wire = servers
    .tools()
    .filter(({ server }) => server === 'hostile')
    .map(({ wireName }) => wireName);
  expect(wire).toEqual(['read_file', 'mcp__other__x', '__proto__', 'echo', 'täst.ü'].map((name) => `mcp__hostile__${name}`));
  expect(state().notes).toHaveLength(7);
});

test('descriptions are cleaned and cut, schemas that are none leave their tool out', async () => {
  const { servers } = await meet('descriptions');
  const [first, second] = servers.tools();
  expect(first!.description).toBe('plainred');
  expect(second!.description).toHaveLength(2_048);
  const other = await meet('schemas');
  const kept = other.servers
    .tools()
    .filter(({ server }) => server === 'hostile')
    .map(({ tool }) => tool);
  expect(kept).toEqual(['recursive', 'evil_output', 'bad_output', 'echo']);
  const begun = Date.now();
  await other.call('evil_output');
  expect(Date.now() - begun).toBeLessThan(1_000);
});

test(verifies('H1:mcp-digest', 'a tool of an MCP server whose description or schema changes has another digest'), async () => {
  const { servers } = await meet('changes');
  const tool = () => servers.tools().find(({ server }) => server === 'hostile')!;
  const before = tool();
  const same = servers.tools();
  expect(servers.tools()).toBe(same);
  await eventually('the list is read again', () => tool().description !== before.description);
  expect(tool().digest).not.toBe(before.digest);
});

test('without hooks a server gets nothing by asking, with them no more than was handed in', async () => {
  const none = await meet('pry');
  expect(JSON.stringify(await none.call())).toContain('ours-1:-32601 ours-2:-32601 ours-3:-32601 ours-4:-32601');
  const some = await meet('pry', 'stdio', { hooks: { roots: () => [{ uri: 'file:///work' }, { uri: 'https://x' }] } });
  const told = await some.call();
  expect(told.content).toEqual([{ type: 'text', text: expect.stringContaining('ours-2:{"roots":[{"uri":"file:///work"}]}') as unknown }]);
});

test('of a storm of questions a few reach the person, and an answer that does not fit is not sent', async () => {
  let asked = 0;
  const elicit: McpHooks['elicit'] = () => {
    asked += 1;
    return Promise.resolve({ action: 'accept', content: { a: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' } });
  };
  await (await meet('elicit-storm', 'stdio', { hooks: { elicit } })).call();
  expect(asked).toBeLessThanOrEqual(20);
});

test('a redirect to another origin is not followed, and neither is a login that leads elsewhere', async () => {
  const requests: string[] = [];
  const elsewhere = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${String(request.headers['x-key'])}`);
    response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  ends.push(async () => {
    elsewhere.closeAllConnections();
    elsewhere.close();
    await once(elsewhere, 'close');
  });
  const env = { ELSEWHERE: `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}` };
  expect((await meet('redirect', 'http', { env })).state().status.kind).toBe('failed');
  expect(requests).toEqual([]);
  const login = await meet('login-elsewhere', 'http', { env, hooks: { openBrowser: () => undefined } });
  await expect(login.servers.login('hostile')).rejects.toMatchObject({ code: 'REFUSED' });
  expect(requests.filter((request) => !request.endsWith(' undefined'))).toEqual([]);
});

test('nothing of a program is left after the end, not even its children', async () => {
  const { servers, state } = await meet('leaves-a-child');
  const pid = Number(/child (\d+)/.exec(state().stderr ?? '')?.[1]);
  expect(pid).toBeGreaterThan(0);
  await servers.close();
  await eventually('the child is gone', () => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  });
});

test('an end in the middle of a handshake that hangs is no longer than another', async () => {
  const leaks = watchLeaks();
  const servers = manage([program('hostile', HOSTILE, 'hang-initialize'), program('stubborn', HOSTILE, 'ignores-end')]);
  const started = servers.start();
  await eventually('it is being connected', () => servers.servers()[1]!.status.kind === 'ready');
  const begun = Date.now();
  await Promise.all([servers.disable('hostile'), started]);
  expect(Date.now() - begun).toBeLessThan(1_500);
  await servers.close();
  expect(Date.now() - begun).toBeLessThan(6_000);
  expect(servers.servers().map(({ status }) => status.kind)).toEqual(['disabled', 'disabled']);
  await eventually('nothing is left', () => leaks().length === 0);
});

test(
  verifies('R2:mcp-once', 'a call of an MCP server that died is not repeated, and the server is connected again for the next one'),
  async () => {
    const { servers, state, call } = await meet('die-once');
    await expect(call()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(state().status.kind).toBe('failed');
    // The next call waits for the connection, and is the second one that the program gets.
    expect((await servers.callTool('hostile', 'echo', { text: 'again' })).content).toEqual([{ type: 'text', text: 'echo again, call 2' }]);
  },
);
