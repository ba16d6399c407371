import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { argsDigest } from '@codelab/tools';
import { eventually, verifies } from '@codelab/testkit';
import { IDLE_SERVER } from '../mcp/__fixtures__/idle-server.js';
import { ScriptedGateway, type Frame, type Script } from '../session/__fixtures__/scripted-gateway.js';
import { chooseGateway } from '../session/choose-gateway.js';
import { chooseWorkspace } from '../session/choose-workspace.js';
import type { ExecOptions } from './exec-io.js';
import { runExec } from './run-exec.js';

const usage = { input_tokens: 5, output_tokens: 2 };
const end = (heard: readonly Frame[], status: string, extra: object = {}): Frame => ({
  type: 'turn_ended',
  turn_id: 't1',
  message_ids: [heard.find(({ type }) => type === 'user_message')!.message_id],
  model: 'offline',
  status,
  usage,
  ...extra,
});
const answer = (content: string): Frame => ({ type: 'assistant_message', message_id: 'a', token: content, is_final: true, content });
const call = (tool_name: string, args: object, extra: object = {}): Frame => ({
  type: 'tool_call',
  call_id: 'c1',
  tool_name,
  args,
  requires_approval: false,
  args_sha256: argsDigest(args),
  fence: 1,
  deadline_ms: 60_000,
  idempotency: 'safe',
  state: 'ready',
  ...extra,
});
const asked = {
  requires_approval: true,
  state: 'waiting_approval',
  idempotency: 'unsafe',
  approval: { reason: 'writes a file', risk: 'medium', choices: [] },
};

let folder: string;
let workspace: string;
let gateway: ScriptedGateway;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-exec-'));
  workspace = await mkdtemp(join(folder, 'workspace-'));
  await writeFile(join(workspace, 'a.txt'), 'one\n');
  vi.stubEnv('CODELAB_DATA_DIR', join(folder, 'data'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await gateway?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface How {
  /** `null`: no argument. */
  readonly prompt?: string | null;
  readonly input?: string;
  /** Whether the gateway takes the message. */
  readonly accepts?: boolean;
  readonly onStart?: (interrupt: () => void) => void;
}

async function exec(
  script: Script,
  options: Partial<ExecOptions> = {},
  { prompt = 'go', input = '', accepts = true, onStart }: How = {},
): Promise<Ran> {
  gateway = await new ScriptedGateway(script, accepts).listening();
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const written = { stdout: '', stderr: '' };
  stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const onInterrupt = (interrupt: () => void): (() => void) => {
    onStart?.(interrupt);
    return () => undefined;
  };
  const code = await runExec(
    prompt ?? undefined,
    { workspace, url: gateway.url, token: 'good', ...options },
    { stdin, stdout, stderr, onInterrupt },
  );
  return { code, ...written };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // it has ended
  }
};

const onMessage =
  (...frames: (() => Frame)[]): Script =>
  (say, heard) => {
    if (heard.type === 'user_message') for (const frame of frames) say(frame());
  };

test('a completed turn: the answer on stdout, the rest on stderr, exit 0', async () => {
  const ran = await exec((say, heard) => {
    if (heard.type === 'user_message') say(call('read_file', { path: 'a.txt' }));
    if (heard.type !== 'tool_result') return;
    say(answer('It says **one**.'));
    say(end(gateway.heard, 'completed'));
  });
  expect(ran).toMatchObject({ code: 0, stdout: 'It says **one**.\n' });
  expect(ran.stderr).toMatch(/^✓ read_file {4}a\.txt {2}1 line · \d+ ms\n$/);
  expect(gateway.of('tool_result')).toMatchObject([{ call_id: 'c1', result: { content: 'one\n' } }]);
});

test.each([
  ['failed', 1],
  ['cancelled', 3],
] as const)('a turn that %s exits with %i', async (status, code) => {
  const error = status === 'failed' ? { error: { code: 'UNAVAILABLE', message: 'The model is away.' } } : {};
  const ran = await exec(onMessage(() => end(gateway.heard, status, error)));
  expect(ran).toMatchObject({ code, stdout: '' });
  if (status === 'failed') expect(ran.stderr).toContain('The model is away.');
});

test(
  verifies('H3:headless', 'without a human an asked call is rejected as policy, the turn goes on, and the exit code says so'),
  async () => {
    const args = { path: 'b.txt', content: 'x' };
    const ran = await exec((say, heard) => {
      if (heard.type === 'user_message') say(call('write_file', args, asked));
      if (heard.type !== 'hitl_decision') return;
      say({
        type: 'approval_resolved',
        call_id: 'c1',
        outcome: 'rejected',
        feedback: heard.feedback,
        args_sha256: argsDigest(args),
        by: 'policy',
        at_ms: 1,
      });
      say(answer('I could not.'));
      say(end(gateway.heard, 'completed'));
    });
    expect(ran).toMatchObject({ code: 4, stdout: 'I could not.\n' });
    expect(gateway.of('hitl_decision')).toMatchObject([
      { decision: 'reject', args_sha256: argsDigest(args), no_human: true, feedback: expect.stringMatching(/^No human/) },
    ]);
    await expect(readFile(join(workspace, 'b.txt'))).rejects.toThrow();
  },
);

test(verifies('H1:approve-all', 'with --approve all, a rule of the human, an asked call runs once it is approved'), async () => {
  const args = { path: 'b.txt', content: 'x' };
  const ran = await exec(
    (say, heard) => {
      if (heard.type === 'user_message') say(call('write_file', args, asked));
      if (heard.type === 'hitl_decision')
        say({ type: 'approval_resolved', call_id: 'c1', outcome: 'approved', args_sha256: argsDigest(args), by: 'me', at_ms: 1 });
      if (heard.type === 'tool_result') say(end(gateway.heard, 'completed'));
    },
    { approve: 'all' },
  );
  expect(ran.code).toBe(0);
  expect(gateway.of('hitl_decision')).toMatchObject([{ decision: 'approve' }]);
  expect(await readFile(join(workspace, 'b.txt'), 'utf8')).toBe('x');
});

test.each([
  ['none', 4, { error: { code: 'DENIED_BY_POLICY' } }],
  ['all', 0, { result: { action: 'first' } }],
] as const)('a question of the model with --approve %s', async (approve, code, result) => {
  const ran = await exec(
    (say, heard) => {
      if (heard.type === 'user_message') say(call('prompt_user', { message: 'Which?', actions: ['first', 'second'] }));
      if (heard.type === 'tool_result') say(end(gateway.heard, 'completed'));
    },
    { approve },
  );
  expect(ran.code).toBe(code);
  expect(gateway.of('tool_result')).toMatchObject([result]);
});

test('a review with --approve all keeps every chunk', async () => {
  const diff = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n';
  await exec(
    (say, heard) => {
      if (heard.type === 'user_message') say(call('apply_patch_review', { diff }));
      if (heard.type === 'tool_result') say(end(gateway.heard, 'completed'));
    },
    { approve: 'all' },
  );
  expect(gateway.of('tool_result')).toMatchObject([{ result: { action: 'apply', chunks_selected: [1], chunks_total: 1 } }]);
});

test('--json prints every frame, one line each, and nothing else anywhere', async () => {
  const ran = await exec(
    onMessage(
      () => answer('Done\u2028.'),
      () => end(gateway.heard, 'completed'),
    ),
    { json: true },
  );
  const frames = ran.stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as Frame).type);
  expect(frames).toEqual(['welcome', 'message_accepted', 'turn_started', 'assistant_message', 'turn_ended']);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
});

test('--trace tells the time of each frame on stderr', async () => {
  const ran = await exec(
    onMessage(() => end(gateway.heard, 'completed')),
    { trace: true },
  );
  expect(ran.stderr).toMatch(/^ +\d+\.\d ms welcome[^]*turn_ended +seq=2 bytes=\d+\n$/);
});

test('an interrupt cancels the turn: exit 3', async () => {
  let interrupt = (): void => undefined;
  const ran = await exec(
    (say, heard) => {
      if (heard.type === 'tool_result') setImmediate(interrupt);
      if (heard.type === 'user_message') say(call('read_file', { path: 'a.txt' }));
      if (heard.type === 'cancel') say(end(gateway.heard, 'cancelled'));
    },
    {},
    { onStart: (given) => void (interrupt = given) },
  );
  expect(ran.code).toBe(3);
  expect(gateway.of('cancel')).toMatchObject([{ turn_id: 't1' }]);
});

test('a second interrupt does not wait for a gateway that is silent', async () => {
  let interrupt = (): void => undefined;
  const ran = await exec(
    (_, heard) => {
      if (heard.type === 'user_message') setImmediate(() => interrupt());
      if (heard.type === 'cancel') setImmediate(interrupt);
    },
    {},
    { onStart: (given) => void (interrupt = given) },
  );
  expect(ran.code).toBe(3);
});

test(
  verifies('G4:mcp-servers', 'an interrupt while it connects ends the MCP servers that were started, and leaves nothing: exit 3'),
  async () => {
    vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
    const pid = join(folder, 'server.pid');
    await mkdir(join(folder, 'config', 'codelab'), { recursive: true });
    const mcpServers = { idle: { command: process.execPath, args: ['-e', IDLE_SERVER, pid] } };
    await writeFile(join(folder, 'config', 'codelab', 'mcp.json'), JSON.stringify({ mcpServers }));
    let interrupt = (): void => undefined;
    let interruptedAt = 0;
    const begins = (): void => {
      interruptedAt = Date.now();
      interrupt();
    };
    // A gateway that takes the connection and says nothing: the welcome never comes.
    const silent = createServer((socket) => sockets.add(socket.on('data', begins).on('error', () => undefined)));
    const sockets = new Set<Socket>();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `ws://127.0.0.1:${String((silent.address() as AddressInfo).port)}/ws`;
    try {
      const ran = await exec(() => undefined, { url }, { onStart: (given) => void (interrupt = given) });
      expect(ran).toMatchObject({ code: 3, stdout: '' });
      const server = Number(await readFile(pid, 'utf8'));
      expect(() => process.kill(server, 0)).toThrow('ESRCH');
      expect(Date.now() - interruptedAt).toBeLessThan(10_000); // by itself it tries for longer
      for (const socket of sockets) if (!socket.destroyed) await once(socket, 'close'); // it let go of it
    } finally {
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  },
);

test(verifies('G4:mcp-servers', 'an interrupt while its servers start ends them as soon as they are there'), async () => {
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
  const pid = join(folder, 'server.pid');
  await mkdir(join(folder, 'config', 'codelab'), { recursive: true });
  const mcpServers = { idle: { command: process.execPath, args: ['-e', IDLE_SERVER, pid] } };
  await writeFile(join(folder, 'config', 'codelab', 'mcp.json'), JSON.stringify({ mcpServers }));
  const ran = await exec(() => undefined, {}, { onStart: (interrupt) => interrupt() });
  expect(ran).toMatchObject({ code: 3, stdout: '' });
  await eventually('the server that was started has ended', async () => {
    const server = Number(await readFile(pid, 'utf8').catch(() => '0')); // it may not have come so far
    return server > 0 && !isAlive(server);
  });
  expect(gateway.heard).toEqual([]);
});

test('the prompt comes from stdin where none is given, and with a dash; model and session go with it', async () => {
  const done = onMessage(() => end(gateway.heard, 'completed'));
  await exec(done, { model: 'gpt-x', session: 's1' }, { prompt: null, input: 'from a pipe\n' });
  expect(gateway.of('user_message')).toMatchObject([{ content: 'from a pipe', model: 'gpt-x' }]);
  await gateway.close();
  await exec(done, {}, { prompt: '-', input: 'dash' });
  expect(gateway.of('user_message')).toMatchObject([{ content: 'dash' }]);
});

test(
  verifies(
    'W1:exec-attach',
    'files that a prompt mentions or an option names go with it; one that can not is said before anything is sent',
  ),
  async () => {
    const done = onMessage(() => end(gateway.heard, 'completed'));
    await writeFile(join(workspace, 'my file.txt'), 'x\ny\nz\n');
    await writeFile(join(workspace, '.env'), 'KEY=1\n');
    await exec(done, { attach: ['my file.txt:2-3', 'a.txt'] }, { prompt: 'compare @a.txt and @"my file.txt", @nobody' });
    expect(gateway.of('user_message')).toMatchObject([
      {
        attachments: [
          { path: 'my file.txt', lines: '2-3', content: 'y\nz\n' },
          { path: 'a.txt', content: 'one\n' },
          { path: 'my file.txt', content: 'x\ny\nz\n' },
        ],
      },
    ]);
    await gateway.close();
    for (const attach of [['nosuch.txt'], ['../x'], ['a.txt:7'], ['.env']]) {
      await expect(exec(done, { attach })).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(/^Nothing was sent\./) });
      expect(gateway.heard).toEqual([]);
      await gateway.close();
    }
    await exec(done, { attach: ['.env'], attachSecrets: true });
    expect(gateway.of('user_message')).toMatchObject([{ attachments: [{ path: '.env' }] }]);
  },
);

test('what a command prints is not part of what exec prints', async () => {
  const ran = await exec(
    (say, heard) => {
      if (heard.type === 'user_message') say(call('run_command', { command: 'echo printed; exit 3' }, asked));
      if (heard.type === 'hitl_decision')
        say({ type: 'approval_resolved', call_id: 'c1', outcome: 'approved', args_sha256: heard.args_sha256, by: 'me', at_ms: 1 });
      if (heard.type === 'tool_result') say(end(gateway.heard, 'completed'));
    },
    { approve: 'all' },
  );
  expect(ran.stderr).toMatch(/^✗ run_command {2}echo printed; exit 3 {2}approved · exit 3 · /);
  expect(ran.stderr.split('\n')).toHaveLength(2);
});

test.each<[string, Partial<ExecOptions>, How, RegExp, number]>([
  ['no prompt', {}, { prompt: null }, /There is no prompt/, 2],
  ['no folder', { workspace: '/nosuch/folder' }, {}, /There is no folder \/nosuch\/folder: name one with --workspace/, 2],
  ['a file as folder', { workspace: process.execPath }, {}, /is no folder/, 2],
  ['an address that is none', { url: 'nonsense' }, {}, /is no address/, 2],
  ['a remote gateway without a token', { url: 'ws://example.com/ws', token: undefined }, {}, /needs a token/, 2],
  ['a gateway that is not there', { url: 'ws://127.0.0.1:1/ws' }, {}, /No gateway answers at ws:\/\/127\.0\.0\.1:1\/ws .*codelab up/, 1],
  ['a wrong token', { token: 'wrong' }, {}, /token/, 1],
])('%s is one sentence that says what to do', async (_, options, how, message, exitCode) => {
  await expect(exec(() => undefined, options, how)).rejects.toMatchObject({ message: expect.stringMatching(message), exitCode });
});

test('a prompt that the gateway refuses says why', async () => {
  const refusal = (heard: Frame): Frame => ({
    type: 'error',
    code: 'FORBIDDEN',
    message: 'Not you.',
    retryable: false,
    reply_to: heard.message_id,
  });
  const refuse: Script = (say, heard) => void (heard.type === 'user_message' && say(refusal(heard)));
  await expect(exec(refuse, {}, { accepts: false })).rejects.toMatchObject({
    message: 'The gateway refused the prompt: Not you.',
    exitCode: 1,
  });
});

test(
  verifies('L3:continue', 'chat --continue goes on with the last conversation of the folder, not with what exec ran there'),
  async () => {
    const ran = await exec(
      onMessage(
        () => answer('Done.'),
        () => end(gateway.heard, 'completed'),
      ),
    );
    expect(ran.code).toBe(0);
    const { place } = await chooseGateway({ url: gateway.url, token: 'good' }, () => undefined);
    const chosen = await chooseWorkspace(workspace, join(folder, 'data'));
    expect(await chosen.lastSession(place)).toBeUndefined();
  },
);
