import { afterEach, beforeEach, expect, test } from 'vitest';
import { argsDigest } from '@codelab/tools';
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
  toolCall,
  welcome,
  type TestClient,
} from '../../test/support.js';
import type { ApprovalAnswer, ApprovalRequest } from '../approvals/approval-request.js';
import type { ClientOptions } from '../client-options.js';
import type { ToolOutcome } from './tool-executor.js';
import { createLocalPolicy } from '../local-policy/local-policy.js';

let peer: WsPeer;
let folder: string;
const cleanups: (() => Promise<unknown>)[] = [];

const start = async (
  options: Partial<ClientOptions> & { executor?: ScriptedExecutor } = {},
  greeting: object = {},
): Promise<TestClient & { readonly connection: PeerConnection }> => {
  const made = makeClient(peer, folder, { sessionId: 's1', ...options });
  cleanups.unshift(() => made.client.close());
  const connecting = made.client.connect();
  const { connection } = await letIn(peer, greeting);
  await connecting;
  return { ...made, connection };
};

/** An `approve` that a test answers by hand. */
const makeDesk = () => {
  const requests: {
    readonly request: ApprovalRequest;
    readonly signal: AbortSignal;
    readonly answer: (answer?: ApprovalAnswer) => void;
  }[] = [];
  const approve = (request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer | undefined> => {
    const { promise, resolve } = deferred<ApprovalAnswer | undefined>();
    requests.push({ request, signal, answer: (answer) => resolve(answer) });
    return promise;
  };
  return { requests, approve };
};

const done: ToolOutcome = { ok: true, result: { success: true } };

beforeEach(async () => {
  peer = await startWsPeer();
  cleanups.push(() => peer.close());
  folder = await makeFolder(cleanups);
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

test('safe calls run side by side, unsafe ones one after another in their order', async () => {
  const gates = new Map(['a', 'b', 'r1', 'r2'].map((id) => [id, deferred<ToolOutcome>()]));
  const executor = new ScriptedExecutor({
    write_file: (_args, { callId }) => gates.get(callId)!.promise,
    read_file: (_args, { callId }) => gates.get(callId)!.promise,
  });
  const { connection } = await start({ executor });
  const safe = { tool_name: 'read_file', idempotency: 'safe', args: { path: 'x' } };
  for (const frame of [toolCall(1, 'a'), toolCall(2, 'b'), toolCall(3, 'r1', safe), toolCall(4, 'r2', safe)]) connection.send(frame);
  await eventually('three runs', () => executor.runs.length === 3);
  expect(executor.runs.map(({ callId }) => callId).sort()).toEqual(['a', 'r1', 'r2']);
  gates.get('a')!.resolve(done);
  await acknowledgeResult(connection, 'a');
  await eventually('the fourth run', () => executor.runs.length === 4);
  for (const gate of gates.values()) gate.resolve(done);
  for (const id of ['b', 'r1', 'r2']) await acknowledgeResult(connection, id);
});

test(
  verifies('R3:moved-executor', 'an unsafe call that waits its turn is answered, not run, when another client executes from now on'),
  async () => {
    const gate = deferred<ToolOutcome>();
    const executor = new ScriptedExecutor({ write_file: () => gate.promise });
    const { connection } = await start({ executor });
    for (const frame of [toolCall(1, 'a'), toolCall(2, 'b')]) connection.send(frame);
    await eventually('the first runs', () => executor.runs.length === 1);
    connection.send({ type: 'executor_changed', executor: 'other' });
    expect(await acknowledgeResult(connection, 'b')).toMatchObject({ error: { code: 'CANCELLED' } });
    gate.resolve(done);
    expect(await acknowledgeResult(connection, 'a')).toMatchObject({ result: { success: true } });
    expect(executor.runs.map(({ callId }) => callId)).toEqual(['a']);
  },
);

test(verifies('H3:client', 'an asked call runs on approval_resolved only, not on the key that was pressed here'), async () => {
  const desk = makeDesk();
  const preview = { preview: { kind: 'diff', text: '+x' } as const, operands: [{ path: 'c1.txt', sha256: '' }] };
  const executor = new ScriptedExecutor({}, () => Promise.resolve(preview));
  const { connection } = await start({ executor, approve: desk.approve });
  connection.send(askedCall(1, 'c1'));
  expect(await connection.next('tool_preview')).toMatchObject({ call_id: 'c1', ...preview });
  const asked = await eventually('the prompt', () => desk.requests[0]);
  expect(asked.request).toMatchObject({ origin: 'server', toolName: 'write_file', args: defaultArgs('c1'), preview: preview.preview });
  asked.answer({ decision: 'approve' });
  expect(await connection.next('hitl_decision')).toMatchObject({
    call_id: 'c1',
    decision: 'approve',
    args_sha256: argsDigest(defaultArgs('c1')),
  });
  expect(executor.runs).toHaveLength(0);
  connection.send(resolved(2, 'c1', defaultArgs('c1')));
  await acknowledgeResult(connection, 'c1');
  expect(executor.runs[0]?.context.operands).toEqual(preview.operands);
});

test('a decision made elsewhere clears the prompt, and edited arguments are the ones that run', async () => {
  const desk = makeDesk();
  const { connection, executor } = await start({ approve: desk.approve });
  connection.send(askedCall(1, 'c1'));
  const { signal } = await eventually('the prompt', () => desk.requests[0]);
  const edited = { path: 'other.txt', content: 'y' };
  connection.send(resolved(2, 'c1', edited, { outcome: 'edited', args: edited }));
  await acknowledgeResult(connection, 'c1');
  expect(signal.aborted).toBe(true);
  expect(executor.runs.map(({ args }) => args)).toEqual([edited]);
});

test.each(['rejected', 'expired', 'cancelled'])('a call that is %s never runs and is not answered', async (outcome) => {
  const desk = makeDesk();
  const { connection, executor } = await start({ approve: desk.approve });
  connection.send(askedCall(1, 'c1'));
  const { signal } = await eventually('the prompt', () => desk.requests[0]);
  connection.send(resolved(2, 'c1', defaultArgs('c1'), { outcome }));
  connection.send(toolCall(3, 'c2'));
  await acknowledgeResult(connection, 'c2');
  expect(signal.aborted).toBe(true);
  expect(executor.runs.map(({ callId }) => callId)).toEqual(['c2']);
});

test.each([
  ['approved for other arguments than the call', {}, { args_sha256: argsDigest({ path: 'b' }) }],
  [
    'edited, with arguments that have another digest',
    {},
    { outcome: 'edited', args: { path: 'z' }, args_sha256: argsDigest({ path: 'y' }) },
  ],
])(verifies('H2:client-digest', 'a call that was %s is answered APPROVAL_MISMATCH and does nothing'), async (_what, call, decision) => {
  const { connection, executor } = await start();
  connection.send(askedCall(1, 'c1', call));
  connection.send(resolved(2, 'c1', defaultArgs('c1'), decision));
  expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ error: { code: 'APPROVAL_MISMATCH' } });
  expect(executor.runs).toHaveLength(0);
});

test('a call whose digest is not that of its arguments does nothing', async () => {
  const { connection, executor } = await start();
  connection.send(toolCall(1, 'c1', { args_sha256: argsDigest({ path: 'b' }) }));
  expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ error: { code: 'APPROVAL_MISMATCH' } });
  expect(executor.runs).toHaveLength(0);
});

test('a call that did not fit its approval is asked anew, and runs after the second decision', async () => {
  const outcomes: ToolOutcome[] = [{ ok: false, error: { code: 'APPROVAL_MISMATCH', message: 'c1.txt changed' } }, done];
  const executor = new ScriptedExecutor({ write_file: () => outcomes.shift()! });
  const { connection } = await start({ executor });
  connection.send(askedCall(1, 'c1'));
  connection.send(resolved(2, 'c1', defaultArgs('c1')));
  expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ error: { code: 'APPROVAL_MISMATCH' } });
  connection.send(askedCall(3, 'c1'));
  connection.send(resolved(4, 'c1', defaultArgs('c1')));
  expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ result: { success: true } });
});

test('a decision that the servers refuse is asked again with the reason', async () => {
  const desk = makeDesk();
  const { connection } = await start({ approve: desk.approve });
  connection.send(askedCall(1, 'c1'));
  (await eventually('the prompt', () => desk.requests[0])).answer({ decision: 'edit', modifiedArgs: { nonsense: true } });
  expect(await connection.next('hitl_decision')).toMatchObject({ decision: 'edit', modified_args: { nonsense: true } });
  connection.send({ type: 'error', code: 'INVALID_ARGUMENTS', message: 'path is required', retryable: false, reply_to: 'c1' });
  const again = await eventually('the second prompt', () => desk.requests[1]);
  expect(again.request.refusal).toEqual({ code: 'INVALID_ARGUMENTS', message: 'path is required' });
});

test(
  verifies(
    'H2:decision-resent',
    'a decision that is still on its way when its question is put anew does not decide that: the human is asked again',
  ),
  async () => {
    const desk = makeDesk();
    const { connection } = await start({ approve: desk.approve });
    connection.send(askedCall(1, 'c1'));
    (await eventually('the prompt', () => desk.requests[0])).answer({ decision: 'approve' });
    expect(await connection.next('hitl_decision')).toMatchObject({ decision: 'approve', question: 1 });
    const { approval, ...call } = askedCall(2, 'c1') as { readonly approval: object };
    connection.send({ ...call, approval: { ...approval, question: 2 } });
    connection.send({ type: 'error', code: 'DIGEST_MISMATCH', message: 'an earlier question', retryable: false, reply_to: 'c1' });
    (await eventually('the second prompt', () => desk.requests[1])).answer({ decision: 'approve' });
    expect(await connection.next('hitl_decision')).toMatchObject({ decision: 'approve', question: 2 });
  },
);

test('a prompt that throws decides nothing', async () => {
  const { connection, executor, problems } = await start({ approve: () => Promise.reject(new Error('the terminal is gone')) });
  connection.send(askedCall(1, 'c1'));
  await eventually('the problem', () => problems.length === 1);
  connection.send(toolCall(2, 'c2'));
  await acknowledgeResult(connection, 'c2');
  expect(connection.received.some(({ type }) => type === 'hitl_decision')).toBe(false);
  expect(executor.runs.map(({ callId }) => callId)).toEqual(['c2']);
});

test('tool_cancel aborts a running call, and its true result is sent', async () => {
  const executor = new ScriptedExecutor({
    write_file: (_args, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve({ ok: true, result: { stopped_by: String(signal.reason) } })),
      ),
  });
  const { connection } = await start({ executor });
  connection.send(toolCall(1, 'c1'));
  connection.send(toolCall(2, 'c2'));
  await eventually('the run', () => executor.runs.length === 1);
  connection.send({ type: 'tool_cancel', seq: 3, call_id: 'c1', reason: 'cancelled' });
  connection.send({ type: 'tool_cancel', seq: 4, call_id: 'c2', reason: 'cancelled' });
  expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ result: { stopped_by: 'cancelled' } });
  expect(await acknowledgeResult(connection, 'c2')).toMatchObject({ error: { code: 'CANCELLED' } });
  expect(executor.runs).toHaveLength(1);
});

test('a call that runs longer than its deadline is stopped and answered TIMEOUT', async () => {
  const executor = new ScriptedExecutor({
    read_file: (_args, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
  });
  const { connection } = await start({ executor });
  connection.send(toolCall(1, 'c1', { tool_name: 'read_file', idempotency: 'safe', deadline_ms: 20 }));
  expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ error: { code: 'TIMEOUT' } });
});

test('a result that no frame can carry becomes an error that says so', async () => {
  let deep: object = {};
  for (let level = 0; level < 70; level += 1) deep = { deep };
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const executor = new ScriptedExecutor({
    read_file: () => ({ ok: true, result: { content: 'x'.repeat(10 * 1024 * 1024) } }),
    deep: () => ({ ok: true, result: deep }),
    cyclic: () => ({ ok: true, result: cycle }),
    broken: () => Promise.reject(new Error('a bug')),
  });
  const { connection } = await start({ executor, localPolicy: createLocalPolicy({ approvals: 'anywhere' }) });
  const call = (seq: number, tool_name: string): object => toolCall(seq, tool_name, { tool_name, idempotency: 'safe' });
  for (const [at, name] of ['read_file', 'deep', 'cyclic', 'broken', 'unheard_of'].entries()) connection.send(call(at + 1, name));
  const codeOf = async (id: string): Promise<unknown> => ((await acknowledgeResult(connection, id))['error'] as { code: string }).code;
  expect(await codeOf('read_file')).toBe('FILE_TOO_LARGE');
  expect(await codeOf('deep')).toBe('OUTCOME_UNKNOWN');
  expect(await codeOf('cyclic')).toBe('OUTCOME_UNKNOWN');
  expect(await codeOf('broken')).toBe('OUTCOME_UNKNOWN');
  expect(await codeOf('unheard_of')).toBe('TOOL_NOT_FOUND');
});

test(verifies('L3:any-result', 'whatever JSON value a tool gives is its result, nothing is null'), async () => {
  const values: readonly unknown[] = ['a text', 1.5, false, null, [1, 'x'], undefined];
  const executor = new ScriptedExecutor({ write_file: ({ at }) => ({ ok: true, result: values[at as number] }) });
  const { connection } = await start({ executor, localPolicy: createLocalPolicy({ approvals: 'anywhere' }) });
  for (const [at, value] of values.entries()) {
    connection.send(toolCall(at + 1, `c${String(at)}`, { args: { at } }));
    expect((await acknowledgeResult(connection, `c${String(at)}`))['result']).toEqual(value ?? null);
  }
});

test('output is streamed with byte offsets, one log per stream', async () => {
  const executor = new ScriptedExecutor({
    run_command: (_args, { onOutput }) => {
      for (const piece of ['één ', '🙂 ', 'end']) onOutput('stdout', piece);
      onOutput('stderr', 'warning');
      return done;
    },
  });
  const { connection } = await start({ executor, localPolicy: createLocalPolicy({ approvals: 'anywhere' }) });
  connection.send(toolCall(1, 'c1', { tool_name: 'run_command' }));
  await acknowledgeResult(connection, 'c1');
  const output = connection.received.filter(({ type }) => type === 'tool_output');
  let stdout = '';
  for (const { offset, data } of output.filter(({ stream }) => stream === 'stdout')) {
    expect(offset).toBe(Buffer.byteLength(stdout));
    stdout += String(data);
  }
  expect(stdout).toBe('één 🙂 end');
  expect(output.find(({ stream }) => stream === 'stderr')).toMatchObject({ offset: 0, data: 'warning' });
});

test(
  verifies(
    'R3:became-executor',
    'a call that was shown here, and is decided when this client executes, runs once, also when it comes again',
  ),
  async () => {
    const desk = makeDesk();
    const gate = deferred<ToolOutcome>();
    const executor = new ScriptedExecutor({ write_file: () => gate.promise });
    const { connection } = await start({ executor, approve: desk.approve }, { executor: 'other' });
    connection.send(askedCall(1, 'c1'));
    await eventually('the prompt', () => desk.requests.length === 1);
    connection.send({ type: 'executor_changed', executor: 'you' });
    const args = { path: 'other.txt', content: 'y' };
    connection.send(resolved(2, 'c1', args, { outcome: 'edited', args }));
    await eventually('it runs', () => executor.runs.length === 1);
    connection.send(toolCall(1, 'c1', { args, requires_approval: true, redelivered: true }));
    gate.resolve(done);
    expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ result: { success: true } });
    expect(executor.runs).toMatchObject([{ args }]);
  },
);

test(
  verifies(
    'R2:asked-after-done',
    'a call that was done, and that a store which was set back asks about, is asked, and answered from the journal',
  ),
  async () => {
    const desk = makeDesk();
    const executor = new ScriptedExecutor({ write_file: () => Promise.resolve(done) });
    const { connection } = await start({ executor, approve: desk.approve });
    connection.send(toolCall(1, 'c1'));
    expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ result: { success: true } });
    connection.send(askedCall(2, 'c1'));
    await eventually('the question', () => desk.requests.length === 1);
    connection.send(resolved(3, 'c1', defaultArgs('c1')));
    expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ result: { success: true } });
    connection.send(askedCall(4, 'c1'));
    await eventually('the question again', () => desk.requests.length === 2);
    const args = { path: 'other.txt', content: 'y' };
    connection.send(resolved(5, 'c1', args, { outcome: 'edited', args }));
    expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ error: { code: 'OUTCOME_UNKNOWN' } });
    expect(executor.runs).toHaveLength(1);
  },
);

test(
  verifies(
    'R2:asked-after-done',
    'a call that is asked about again while it runs, or while its answer is on the way, is asked once the answer is refused',
  ),
  async () => {
    const desk = makeDesk();
    const gates = new Map(['c1', 'c2'].map((id) => [id, deferred<ToolOutcome>()]));
    const executor = new ScriptedExecutor({ write_file: (_args, { callId }) => gates.get(callId)!.promise });
    const { connection } = await start({ executor, approve: desk.approve });
    for (const [id, isAnswered, seq] of [
      ['c1', true, 0],
      ['c2', false, 3],
    ] as const) {
      connection.send(toolCall(seq + 1, id));
      await eventually('it runs', () => executor.runs.some(({ callId }) => callId === id));
      if (!isAnswered) connection.send(askedCall(seq + 2, id));
      gates.get(id)!.resolve(done);
      expect(await connection.next('tool_result')).toMatchObject({ call_id: id });
      if (isAnswered) connection.send(askedCall(seq + 2, id));
      connection.send({
        type: 'error',
        code: 'FORBIDDEN',
        message: 'undecided',
        retryable: false,
        reply_to: id,
        reply_to_type: 'tool_result',
      });
      await eventually('the question', () => desk.requests.some(({ request }) => request.callId === id));
      connection.send(resolved(seq + 3, id, defaultArgs(id)));
      expect(await acknowledgeResult(connection, id)).toMatchObject({ result: { success: true } });
    }
    expect(executor.runs).toHaveLength(2);
  },
);

test(
  verifies('R2:stranded', 'what a client did while it executed it answers again where another executes and the servers still wait for it'),
  async () => {
    const executor = new ScriptedExecutor({ write_file: () => Promise.resolve(done) });
    const { connection } = await start({ executor });
    connection.send(toolCall(1, 'c1'));
    await acknowledgeResult(connection, 'c1');
    connection.send({ type: 'executor_changed', executor: 'other' });
    const open_calls = [toolCall(1, 'c1'), toolCall(2, 'c2')];
    const snapshot = { seq: 2, history: [], turn: { turn_id: 't1' }, open_calls, todos: [], queue: [] };
    connection.send(welcome({ executor: 'other', recovered: false, epoch: 'e2', seq: 2, snapshot }));
    expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ result: { success: true } });
    connection.send(toolCall(3, 'c1'));
    expect(await acknowledgeResult(connection, 'c1')).toMatchObject({ result: { success: true } });
    expect(executor.runs.map(({ callId }) => callId)).toEqual(['c1']);
    expect(connection.received.filter((frame) => frame['call_id'] === 'c2')).toEqual([]);
  },
);

test('a client that does not execute asks its human, and runs nothing', async () => {
  const desk = makeDesk();
  const { connection, executor, client } = await start({ approve: desk.approve }, { executor: 'other' });
  connection.send(toolCall(1, 'c1'));
  connection.send(askedCall(2, 'c2'));
  connection.send(askedCall(3, 'c3'));
  await eventually('two prompts', () => desk.requests.length === 2);
  const decided = client.decide('c2', { decision: 'reject', feedback: 'no' });
  expect(await connection.next('hitl_decision')).toMatchObject({ call_id: 'c2', decision: 'reject', feedback: 'no' });
  connection.send(resolved(4, 'c2', defaultArgs('c2'), { outcome: 'rejected' }));
  await expect(decided).resolves.toEqual({ outcome: 'rejected', by: 'ann' });
  connection.send(resolved(5, 'c3', defaultArgs('c3')));
  connection.send({
    type: 'turn_ended',
    seq: 6,
    turn_id: 't',
    message_ids: [],
    model: 'm',
    status: 'completed',
    usage: { input_tokens: 1, output_tokens: 1 },
  });
  await eventually('the prompts are cleared', () => desk.requests.every(({ signal }) => signal.aborted));
  expect(executor.runs).toHaveLength(0);
  expect(connection.received.some(({ type }) => type === 'tool_ack' || type === 'tool_result')).toBe(false);
});
