import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, startWsPeer, verifies, type PeerConnection, type WsPeer } from '@codelab/testkit';
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
} from '../../test/support.js';
import type { ToolOutcome } from './tool-executor.js';
import type { ApprovalRequest } from '../approvals/approval-request.js';

let peer: WsPeer;
let folder: string;
const cleanups: (() => Promise<unknown>)[] = [];
const asked: { readonly request: ApprovalRequest; readonly signal: AbortSignal }[] = [];

beforeEach(async () => {
  peer = await startWsPeer();
  cleanups.push(() => peer.close());
  folder = await makeFolder(cleanups);
  asked.length = 0;
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A frame about a call of a program: it has no number. */
const program = (frame: object, more: object = {}): object => ({ ...frame, seq: undefined, ...more });
const DONE: ToolOutcome = { ok: true, result: { success: true } };
const PROXY = { origin: 'proxy' };
const ended = {
  type: 'turn_ended',
  seq: 1,
  turn_id: 't',
  message_ids: [],
  model: 'm',
  status: 'completed',
  usage: { input_tokens: 0, output_tokens: 0 },
};

const start = async (
  greeting: object = {},
  scripted?: ScriptedExecutor,
): Promise<{ readonly connection: PeerConnection; readonly executor: ScriptedExecutor }> => {
  const { client, executor } = makeClient(peer, folder, {
    sessionId: 's1',
    ...(scripted && { executor: scripted }),
    approve: (request, signal) => {
      asked.push({ request, signal });
      return new Promise(() => undefined);
    },
  });
  cleanups.unshift(() => client.close());
  const connecting = client.connect();
  const { connection } = await letIn(peer, greeting);
  await connecting;
  return { connection, executor };
};

test(verifies('R2:child-client', 'a call of a program is run once like any other, and no turn of the session ends it'), async () => {
  const { connection, executor } = await start();
  connection.send(program(askedCall(0, 'p1'), PROXY));
  const { request, signal } = await eventually('the prompt', () => asked[0]);
  expect(request).toMatchObject({ callId: 'p1', program: true, origin: 'server' });
  connection.send(ended);
  connection.send(program(resolved(0, 'p1', defaultArgs('p1'))));
  expect(await acknowledgeResult(connection, 'p1')).toMatchObject({ result: { success: true } });
  expect(executor.runs.map(({ callId, context }) => [callId, context.turnId])).toEqual([['p1', undefined]]);
  expect(signal.aborted).toBe(true);
  connection.send(program(askedCall(0, 'p1'), { ...PROXY, state: 'ready', redelivered: true }));
  await acknowledgeResult(connection, 'p1');
  expect(executor.runs).toHaveLength(1);
  connection.terminate();
  const { hello } = await letIn(peer);
  expect(hello['resume']).toMatchObject({ seq: 1 });
});

test(verifies('H1:child-client', 'a call that llm-proxy runs is shown to the human, and not run, previewed or answered here'), async () => {
  const { connection, executor } = await start();
  connection.send(program(askedCall(0, 's1', { tool_name: 'lookup' }), { ...PROXY, runs_at: 'server' }));
  expect(await eventually('the prompt', () => asked[0])).toMatchObject({ request: { toolName: 'lookup', program: true } });
  connection.send(program(resolved(0, 's1', defaultArgs('s1'))));
  connection.send(program(askedCall(0, 'p2'), { ...PROXY, state: 'ready' }));
  await acknowledgeResult(connection, 'p2');
  expect(asked[0]?.signal.aborted).toBe(true);
  expect(executor.runs.map(({ callId }) => callId)).toEqual(['p2']);
  expect(connection.received.filter((frame) => frame['call_id'] === 's1')).toEqual([]);
});

test('who only watches takes a question of a program away with the connection, and asks it again when it comes again', async () => {
  const { connection } = await start({ executor: 'other' });
  connection.send(program(askedCall(0, 'p3'), PROXY));
  connection.send(program(askedCall(0, 'p4'), PROXY));
  await eventually('two prompts', () => asked.length === 2);
  connection.terminate();
  const { connection: back } = await letIn(peer, { executor: 'other' });
  await eventually('both are gone', () => asked.every(({ signal }) => signal.aborted));
  back.send(program(askedCall(0, 'p4'), { ...PROXY, redelivered: true }));
  expect((await eventually('the one that stands', () => asked[2])).request.callId).toBe('p4');
});

test(verifies('R2:child-client', 'one that waits for its turn when the connection ends begins only if it comes again'), async () => {
  const first = deferred<ToolOutcome>();
  const writes = new ScriptedExecutor({ write_file: (_args, { callId }) => (callId === 'p1' ? first.promise : Promise.resolve(DONE)) });
  const { connection, executor } = await start({}, writes);
  for (const id of ['p1', 'p2', 'p3']) connection.send(program(askedCall(0, id), { ...PROXY, state: 'ready' }));
  await eventually('the first runs', () => executor.runs.length === 1);
  await connection.next((frame) => frame.type === 'tool_ack' && frame['call_id'] === 'p3');
  connection.terminate();
  const { connection: back } = await letIn(peer, { recovered: true });
  back.send(program(askedCall(0, 'p3'), { ...PROXY, state: 'ready', redelivered: true }));
  await back.next((frame) => frame.type === 'tool_ack' && frame['call_id'] === 'p3');
  first.resolve(DONE);
  for (const id of ['p1', 'p3']) expect(await acknowledgeResult(back, id)).toMatchObject({ result: { success: true } });
  expect(executor.runs.map(({ callId }) => callId)).toEqual(['p1', 'p3']);
});
