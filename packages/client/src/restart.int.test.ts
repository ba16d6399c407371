import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { argsDigest } from '@codelab/tools';
import { eventually, startWsPeer, verifies, type WsPeer } from '@codelab/testkit';
import {
  acknowledgeResult,
  askedCall,
  defaultArgs,
  deferred,
  letIn,
  makeClient,
  makeFolder,
  resolved,
  ScriptedExecutor,
  toolCall,
} from '../test/support.js';
import { createLocalPolicy } from './local-policy/local-policy.js';
import type { ToolOutcome } from './calls/tool-executor.js';

/** A child compiles what it runs, which on a busy machine takes its time. */
vi.setConfig({ testTimeout: 60_000 });

const ROOT = join(import.meta.dirname, '../../..');

let peer: WsPeer;
let folder: string;
const cleanups: (() => Promise<unknown>)[] = [];

/** Starts the child; `reached` resolves when it has come to the point where it waits. */
const startChild = (stop: string): { readonly child: ChildProcess; readonly reached: Promise<unknown> } => {
  const argv = [
    '--conditions=codelab-source',
    '--import',
    join(ROOT, 'scripts/register-swc.mjs'),
    join(ROOT, 'packages/client/test/kill-child.ts'),
  ];
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, [...argv, peer.url, folder, join(folder, 'effects'), stop], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanups.unshift(() => kill(child));
  return { child, reached: once(createInterface({ input: child.stdout }), 'line') };
};

const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
};

const effects = async (): Promise<string> => readFile(join(folder, 'effects'), 'utf8').catch(() => '');

beforeEach(async () => {
  peer = await startWsPeer();
  cleanups.push(() => peer.close());
  folder = await makeFolder(cleanups);
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const UNKNOWN = { error: { code: 'OUTCOME_UNKNOWN' } };

test.each([
  ['after begin, before the effect', 'begun', 0, UNKNOWN, 'unknown'],
  ['after the effect, before its end was noted', 'effected', 1, UNKNOWN, 'unknown'],
] as const)(
  verifies('R2:client-killed', 'a client killed %s never runs the call again and says so'),
  async (_when, stop, count, answer, state) => {
    const { child, reached } = startChild(stop);
    const { connection } = await letIn(peer);
    connection.send(toolCall(1, 'c1'));
    await reached;
    expect(connection.received.filter(({ type }) => type === 'tool_ack').map((ack) => ack['state'])).toContain('started');
    await kill(child);

    startChild('never');
    const { connection: second, hello } = await letIn(peer);
    expect(hello['resume']).toMatchObject({ calls: [{ call_id: 'c1', args_sha256: argsDigest(defaultArgs('c1')), state }] });
    second.send(toolCall(1, 'c1', { redelivered: true }));
    expect(await acknowledgeResult(second, 'c1')).toMatchObject(answer);
    second.send(toolCall(1, 'c1', { redelivered: true }));
    expect(await acknowledgeResult(second, 'c1')).toMatchObject(answer);
    expect((await effects()).match(/c1/g) ?? []).toHaveLength(count);
  },
);

test(verifies('R2:client-answered', 'a client killed after the end was noted answers from its journal, unasked and asked'), async () => {
  const { child } = startChild('never');
  const { connection } = await letIn(peer);
  connection.send(toolCall(1, 'c1'));
  await connection.next('tool_result'); // and never acknowledged
  await kill(child);

  startChild('never');
  const { connection: second, hello } = await letIn(peer);
  expect(hello['resume']).toMatchObject({ calls: [{ call_id: 'c1', state: 'done' }] });
  expect(await acknowledgeResult(second, 'c1')).toMatchObject({ fence: 1, result: { wrote: 'c1.txt' } });
  second.send(toolCall(1, 'c1', { redelivered: true, fence: 2 }));
  expect(await acknowledgeResult(second, 'c1')).toMatchObject({ fence: 2, result: { wrote: 'c1.txt' } });
  expect(await effects()).toBe('c1\n');
});

test('a call that a killed client had not begun runs in the next one', async () => {
  const { child } = startChild('never');
  const { connection } = await letIn(peer);
  connection.send(askedCall(1, 'c1'));
  await connection.next('tool_ack');
  await kill(child);

  startChild('never');
  const { connection: second } = await letIn(peer);
  const decided = {
    state: 'ready',
    redelivered: true,
    approval: { reason: 'r', risk: 'low', choices: [], outcome: 'approved', by: 'ann', at_ms: 1 },
  };
  second.send(askedCall(1, 'c1', decided));
  expect(await acknowledgeResult(second, 'c1')).toMatchObject({ result: { wrote: 'c1.txt' } });
});

test('a running call that comes again after a reconnect is not started again, and answers on the new connection', async () => {
  const gate = deferred<ToolOutcome>();
  const executor = new ScriptedExecutor({ write_file: () => gate.promise });
  const { client } = makeClient(peer, folder, { executor });
  cleanups.unshift(() => client.close());
  const connecting = client.connect();
  const { connection } = await letIn(peer);
  await connecting;
  connection.send(toolCall(1, 'c1'));
  await eventually('the run', () => executor.runs.length === 1);
  connection.terminate();
  const { connection: second, hello } = await letIn(peer, { seq: 1 });
  expect(hello['resume']).toMatchObject({ seq: 1, calls: [{ call_id: 'c1', state: 'started' }] });
  second.send(toolCall(1, 'c1', { redelivered: true }));
  expect(await second.next('tool_ack')).toMatchObject({ call_id: 'c1', state: 'started' });
  gate.resolve({ ok: true, result: { late: true } });
  expect(await acknowledgeResult(second, 'c1')).toMatchObject({ result: { late: true } });
  expect(executor.runs).toHaveLength(1);
});

test('a call that is given again as another assignment, while it runs or after it was answered, answers that one without a second run', async () => {
  const gate = deferred<ToolOutcome>();
  const executor = new ScriptedExecutor({ write_file: () => gate.promise });
  const { client } = makeClient(peer, folder, { executor });
  cleanups.unshift(() => client.close());
  const connecting = client.connect();
  const { connection } = await letIn(peer);
  await connecting;
  const nextResult = () => connection.next('tool_result');
  connection.send(toolCall(1, 'c1'));
  await eventually('the run', () => executor.runs.length === 1);
  connection.send(toolCall(2, 'c1', { fence: 2 }));
  expect(await connection.next(({ type, fence }) => type === 'tool_ack' && fence === 2)).toMatchObject({ state: 'started' });
  gate.resolve({ ok: true, result: { once: true } });
  expect(await nextResult()).toMatchObject({ fence: 2, result: { once: true } });
  connection.send(toolCall(3, 'c1', { fence: 3 }));
  connection.send({ type: 'tool_result_ack', call_id: 'c1', outcome: 'stale' });
  expect(await nextResult()).toMatchObject({ fence: 3, result: { once: true } });
  expect(executor.runs).toHaveLength(1);
});

test('an unsafe call does not begin while the connection is away, and is dropped if it was cancelled meanwhile', async () => {
  const gate = deferred<ToolOutcome>();
  const executor = new ScriptedExecutor({ write_file: (_args, { callId }) => (callId === 'c1' ? gate.promise : { ok: true, result: {} }) });
  const { client } = makeClient(peer, folder, { executor });
  cleanups.unshift(() => client.close());
  const connecting = client.connect();
  const { connection } = await letIn(peer);
  await connecting;
  for (const [at, id] of ['c1', 'c2', 'c3'].entries()) connection.send(toolCall(at + 1, id));
  await eventually('the first run', () => executor.runs.length === 1);
  await connection.next((frame) => frame.type === 'tool_ack' && frame['call_id'] === 'c3');
  connection.terminate();
  const second = await peer.next();
  await second.next('hello');
  gate.resolve({ ok: true, result: {} });
  second.send({
    type: 'welcome',
    session_id: 's1',
    protocol_version: '2.0',
    epoch: 'e1',
    seq: 4,
    recovered: true,
    executor: 'you',
    limits: {},
  });
  second.send({ type: 'tool_cancel', seq: 4, call_id: 'c2', reason: 'cancelled' });
  expect(await acknowledgeResult(second, 'c2')).toMatchObject({ error: { code: 'CANCELLED' } });
  await acknowledgeResult(second, 'c1');
  await acknowledgeResult(second, 'c3');
  expect(executor.runs.map(({ callId }) => callId)).toEqual(['c1', 'c3']);
});

test('a second process on the same session watches until the first one is gone, then executes', async () => {
  const first = makeClient(peer, folder, { sessionId: 's1' });
  const connecting = first.client.connect();
  const one = await letIn(peer);
  await connecting;
  const second = makeClient(peer, folder, { sessionId: 's1' });
  cleanups.unshift(
    () => second.client.close(),
    () => first.client.close(),
  );
  const joining = second.client.connect();
  const two = await letIn(peer, { executor: 'other' });
  await joining;
  expect(two.hello['tools']).toEqual([]);
  expect(two.hello['client_id']).not.toBe(one.hello['client_id']);
  expect(second.client.state).toMatchObject({ kind: 'live', executor: 'other', standby: true });
  await first.client.close();
  const three = await letIn(peer);
  expect(three.hello['client_id']).toBe(one.hello['client_id']);
  three.connection.send(toolCall(1, 'c1'));
  await acknowledgeResult(three.connection, 'c1');
  expect(second.executor.runs).toHaveLength(1);
});

test(
  verifies('H2:floor', 'a command approved elsewhere waits for a decision at this client; its own approval counts at once'),
  async () => {
    const asked: string[] = [];
    const { client, executor } = makeClient(peer, folder, {
      localPolicy: createLocalPolicy(),
      approve: ({ origin, callId }) => {
        asked.push(`${origin} ${callId}`);
        if (origin === 'server') return Promise.resolve(callId === 'own' ? { decision: 'approve' } : undefined);
        return Promise.resolve(callId === 'yes' ? { decision: 'approve' } : { decision: 'reject', feedback: 'not here' });
      },
    });
    cleanups.unshift(() => client.close());
    const connecting = client.connect();
    const { connection } = await letIn(peer);
    await connecting;
    const args = { command: 'npm install' };
    const command = { tool_name: 'run_command', args };
    for (const [at, id] of ['yes', 'no', 'own'].entries()) connection.send(askedCall(at + 1, id, command));
    await connection.next('hitl_decision');
    for (const [at, id] of ['yes', 'no', 'own'].entries()) connection.send(resolved(at + 4, id, args));
    connection.send(toolCall(7, 'unasked', command));
    expect(await acknowledgeResult(connection, 'yes')).toMatchObject({ result: {} });
    expect(await acknowledgeResult(connection, 'no')).toMatchObject({
      error: { code: 'PERMISSION_DENIED', message: expect.stringContaining('not here') },
    });
    expect(await acknowledgeResult(connection, 'own')).toMatchObject({ result: {} });
    expect(await acknowledgeResult(connection, 'unasked')).toMatchObject({ error: { code: 'PERMISSION_DENIED' } });
    expect(asked.sort()).toEqual(['client no', 'client unasked', 'client yes', 'server no', 'server own', 'server yes']);
    expect(executor.runs.map(({ callId }) => callId).sort()).toEqual(['own', 'yes']);
  },
);
