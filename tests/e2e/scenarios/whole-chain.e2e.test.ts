import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies, type ScriptedProvider } from '@codelab/testkit';
import { makeRepository, type Repository } from '../make-repository.js';
import { plan, startPlannedModel } from '../planned-model.js';
import { runCommand, startSystem, type CommandResult, type System } from '../start-system.js';
import { connectWire, type WireFrame } from '../wire-client.js';

const FILES = 1_000;
const LIMITED = { message: 'Rate limit reached in organization org-Ab12Cd34: try again in 0.7s.', code: 'rate_limit_exceeded' };
const SLOW_DOWN = { status: 429, headers: { 'retry-after-ms': '700' }, body: { error: LIMITED } };
let model: ScriptedProvider;
let system: System;
let repository: Repository;

beforeAll(async () => {
  model = await startPlannedModel({ 'wait for it': [{ refused: SLOW_DOWN, text: 'There.' }] });
  system = await startSystem({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' } });
  repository = await makeRepository({ files: FILES, extra: { 'README.md': '# one\n', 'a.txt': 'alpha\n', 'b.txt': 'beta\n' } });
});

afterAll(async () => {
  await system.stop();
  await model.close();
  await repository.remove();
});

const framesOf = ({ stdout }: CommandResult): WireFrame[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as WireFrame);

const decide = (sessionId: string, decision: object): Promise<Response> =>
  fetch(`${system.gateways[0]?.url ?? ''}/api/v1/sessions/${sessionId}/decisions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(decision),
  });

const exec = (argv: readonly string[], onStdout?: Parameters<typeof runCommand>[1]): Promise<CommandResult> =>
  runCommand(['exec', '--workspace', repository.root, '--url', system.gateways[0]?.ws ?? '', '--token', system.token, ...argv], {
    env: system.env,
    ...onStdout,
  });

test(
  verifies('H1:decide:anywhere', 'a turn with three tools, an approval, an edit and a rejection runs on a repository of a thousand files'),
  async () => {
    const session = 'whole-chain';
    const decisions: Record<string, object> = {
      'approved.txt': { decision: 'approve' },
      'edited.txt': { decision: 'edit', modified_args: { path: 'edited.txt', content: 'by the human\n' } },
      'rejected.txt': { decision: 'reject', feedback: 'not this one' },
    };
    const message = plan(
      {
        text: 'Reading.',
        calls: [
          { tool: 'read_file', args: { path: 'a.txt' } },
          { tool: 'read_file', args: { path: 'src/part-3/module-150.js' } },
          { tool: 'git.diff', args: { path: '.' } },
        ],
      },
      { calls: Object.keys(decisions).map((path) => ({ tool: 'write_file', args: { path, content: 'by the model\n' } })) },
      { text: 'Done.' },
    );
    const decided: Promise<Response>[] = [];
    let rest = '';
    const result = await exec(['--json', '--session', session, '--approve', 'ask', message], {
      onStdout: (text) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const frame = JSON.parse(line) as WireFrame;
          if (frame.type !== 'tool_call' || frame['state'] !== 'waiting_approval' || frame['redelivered'] === true) continue;
          const decision = decisions[(frame['args'] as { path: string }).path];
          decided.push(decide(session, { call_id: frame['call_id'], args_sha256: frame['args_sha256'], ...decision }));
        }
      },
    });
    expect((await Promise.all(decided)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect({ code: result.code, stderr: result.stderr }).toMatchObject({ code: 0 });
    const frames = framesOf(result);
    expect(frames.filter(({ type }) => type === 'turn_ended')).toEqual([expect.objectContaining({ status: 'completed' })]);
    expect(frames.findLast(({ type }) => type === 'assistant_message')).toMatchObject({ is_final: true, content: 'Done.' });
    expect(await readFile(join(repository.root, 'approved.txt'), 'utf8')).toBe('by the model\n');
    expect(await readFile(join(repository.root, 'edited.txt'), 'utf8')).toBe('by the human\n');
    await expect(readFile(join(repository.root, 'rejected.txt'))).rejects.toThrow('ENOENT');
    const told = model.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(told.map(({ content }) => String(content))).toEqual([
      expect.stringContaining('alpha'),
      expect.stringContaining('value150'),
      expect.stringContaining('"diff":""'),
      expect.stringContaining('bytes_written'),
      expect.stringContaining('bytes_written'),
      expect.stringMatching(/^Error \[DENIED_BY_USER\]: .*not this one/),
    ]);
  },
);

test(verifies('H3:nobody', 'without a human an asked call is refused by policy, and exec says so with exit code 4'), async () => {
  const result = await exec([
    '--json',
    '--approve',
    'none',
    plan({ calls: [{ tool: 'write_file', args: { path: 'no.txt', content: 'x' } }] }, { text: 'ok' }),
  ]);
  expect(result.code).toBe(4);
  expect(String(model.requests.at(-1)?.body.messages.at(-1)?.content)).toMatch(/^Error \[DENIED_BY_POLICY\]/);
  await expect(readFile(join(repository.root, 'no.txt'))).rejects.toThrow('ENOENT');
});

test(verifies('H1:approve-all', '--approve all is a rule that a human made: asked calls run'), async () => {
  const result = await exec([
    '--approve',
    'all',
    plan({ calls: [{ tool: 'write_file', args: { path: 'yes.txt', content: 'é\n' } }] }, { text: 'Written.' }),
  ]);
  expect({ code: result.code, stdout: result.stdout.trim() }).toEqual({ code: 0, stdout: 'Written.' });
  expect(await readFile(join(repository.root, 'yes.txt'), 'utf8')).toBe('é\n');
});

test(verifies('R3:failed', 'a model that always fails ends the turn as failed, and exec with 1'), async () => {
  const result = await exec(['--json', '--model', 'gpt-test', 'this message holds no plan']);
  expect(result.code).toBe(1);
  expect(framesOf(result).findLast(({ type }) => type === 'turn_ended')).toMatchObject({ status: 'failed' });
});

test(verifies('L3:fidelity', 'arguments and results reach the other end byte for byte'), async () => {
  const args = '{ "path":"exact.txt", "content":"2^53-1 = 9007199254740991\\u2028\u2028 [] {} 1e-7" }';
  const result = await exec(['--json', '--approve', 'all', plan({ calls: [{ tool: 'write_file', args }] }, { text: 'ok' })]);
  expect(result.code).toBe(0);
  expect(result.stdout).toContain(`"args":${args}`);
  expect(await readFile(join(repository.root, 'exact.txt'), 'utf8')).toBe('2^53-1 = 9007199254740991\u2028\u2028 [] {} 1e-7');
});

test(
  verifies('G2:wait-told', 'a 429 with retry-after is told to the client with what the provider said and when it is asked again'),
  async () => {
    const client = await connectWire({
      ...{ ws: system.gateways[0]?.ws ?? '', token: system.token, session: 'told-to-wait' },
      hello: { client_id: 'client-w', tools: [], capabilities: ['agent_status'] },
    });
    client.send({ type: 'user_message', content: 'wait for it' });
    const { turn_id, retry } = await client.waitFor((frame) => frame.type === 'agent_status' && frame['retry'] !== undefined, 'the wait');
    expect(retry).toMatchObject({ reason: 'rate_limited', attempt: 2, max_attempts: 4, retry_at_ms: expect.any(Number) });
    expect((retry as { message: string }).message).toBe('Rate limit reached in organization [key]: try again in 0.7s.');
    expect((retry as { retry_after_ms: number }).retry_after_ms).toBeGreaterThan(600);
    expect(await client.waitForType('turn_ended')).toMatchObject({ turn_id, status: 'completed' });
    await client.close();
  },
);

test(
  verifies('G2:uses-told', 'the uses of an answer are told at the socket, whatever the vocabulary, beside the statuses of their calls'),
  async () => {
    const client = await connectWire({
      ...{ ws: system.gateways[0]?.ws ?? '', token: system.token, session: 'told-of-uses' },
      hello: {
        ...{ client_id: 'client-u', protocol_versions: ['2.1'], vocabulary: 'claude-code' },
        ...{ tools: ['read_file', 'write_file'], capabilities: ['tool_use', 'tool_status'] },
      },
    });
    const result = { read_file: { content: 'a\n', encoding: 'utf-8' }, write_file: { success: true, bytes_written: 2 } };
    client.onFrame((frame) => {
      const { type, call_id, tool_name, state, args_sha256 } = frame;
      if (type === 'tool_call' && state === 'waiting_approval')
        client.send({ type: 'hitl_decision', call_id, decision: 'approve', args_sha256 });
      const runs = (type === 'tool_call' && state === 'ready') || type === 'approval_resolved';
      const name = (tool_name ?? 'write_file') as keyof typeof result;
      if (runs) client.send({ type: 'tool_result', call_id, result: result[name] });
    });
    const [read, edit] = [
      { tool: 'Read', args: { file_path: 'a.txt' } },
      { tool: 'Edit', args: { file_path: 'a.txt', old_string: 'a', new_string: 'b' } },
    ];
    client.send({ type: 'user_message', content: plan({ calls: [read] }, { calls: [edit] }, { text: 'Done.' }) });
    expect(await client.waitForType('turn_ended')).toMatchObject({ status: 'completed' });
    const told = (name: string): WireFrame[] => client.frames.filter(({ type, tool_name }) => type === 'tool_use' && tool_name === name);
    expect(told('Read').map(({ status }) => status)).toEqual(['generating', 'generated', 'calling', 'done']);
    expect(told('Edit').map(({ status }) => status)).toEqual(['generating', 'generated', 'calling', 'waiting_approval', 'calling', 'done']);
    expect(told('Edit').at(-1)).toMatchObject({ title: 'Edit file', items: [{ name: 'Edit file', description: 'Tool output' }] });
    expect(told('Edit').at(-1)?.['call_ids']).toHaveLength(2);
    expect(client.frames.filter(({ type }) => type === 'tool_status').map(({ status }) => status)).toContain('waiting_approval');
    await client.close();
  },
);
