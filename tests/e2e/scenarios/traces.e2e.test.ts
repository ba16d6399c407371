import { afterAll, beforeAll, expect, test } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, startOtlpCollector, verifies, type CollectedSpan, type OtlpCollector, type ScriptedProvider } from '@codelab/testkit';
import { plan, startPlannedModel } from '../planned-model.js';
import { runCommand, startSystem, type System } from '../start-system.js';
import { connectWire } from '../wire-client.js';

let collector: OtlpCollector;
let model: ScriptedProvider;
let system: System;

const KEY = 'sk-of-the-traces';

beforeAll(async () => {
  [collector, model] = await Promise.all([startOtlpCollector(), startPlannedModel()]);
  system = await startSystem({
    runtimes: 2,
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: KEY, CODELAB_MODEL: 'gpt-test', ...collector.env },
  });
}, 60_000);

afterAll(async () => {
  await system.stop();
  await Promise.all([model.close(), collector.close()]);
});

/** The spans of a trace as a tree, each with those below it in the order of their names. */
const treeOf = (traceId: string, parentSpanId = ''): readonly unknown[] =>
  collector.spans
    .filter((span) => span.traceId === traceId && span.parentSpanId === parentSpanId)
    .map((span) => [`${span.service}: ${span.name}`, ...treeOf(traceId, span.spanId)])
    .toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1));

/** Waits until a trace is as it should be: its spans come from four processes. */
const expectTree = async (traceId: string, expected: unknown): Promise<void> => {
  await eventually('the whole trace', () => JSON.stringify(treeOf(traceId)) === JSON.stringify(expected)).catch(() => undefined);
  expect(treeOf(traceId)).toEqual(expected);
};

const ASKED = ['codelab-agent-runtime: model_request', ['codelab-llm-proxy: chat gpt-test', ['codelab-llm-proxy: POST openai']]];

test(verifies('L1:traces', 'a turn is one trace from the client to the upstream, and nothing in it is content or a secret'), async () => {
  const folder = await mkdtemp(join(tmpdir(), 'codelab-traces-'));
  await writeFile(join(folder, 'private-name.txt'), 'the private content');
  const prompt = plan({ calls: [{ tool: 'read_file', args: { path: 'private-name.txt' } }] }, { text: 'the private answer' });
  const ran = await runCommand(['exec', prompt, '--workspace', folder], { env: system.env, cwd: folder });
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('the private answer') });
  const { traceId, attributes } = await collector.waitFor('message');
  expect(attributes).toMatchObject({ 'codelab.turn.status': 'completed' });
  const call = [
    'codelab-agent-runtime: execute_tool read_file',
    ['codelab-client: run read_file'],
    ['codelab-gateway: gateway tool_result'],
  ];
  const turn = ['codelab-agent-runtime: invoke_agent coder', call, ASKED, ASKED];
  await expectTree(traceId, [['codelab-client: message', ['codelab-gateway: gateway user_message', turn]]]);
  const used = collector.spans.find((span) => span.traceId === traceId && span.name === 'chat gpt-test');
  expect(used?.attributes).toMatchObject({
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'gpt-test' },
    ...{ 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 5, 'codelab.outcome': 'answered' },
  });
  expect(model.requests.at(-1)?.headers['traceparent']).toBe(`00-${traceId}-${chatSpans(traceId).at(-1)?.spanId}-01`);
  const sent = collector.bodies.map(({ bytes }) => bytes.toString()).join('\n');
  for (const secret of ['private', KEY, system.token, folder]) expect(sent).not.toContain(secret);
  await rm(folder, { recursive: true });
});

const chatSpans = (traceId: string): readonly CollectedSpan[] =>
  collector.spans
    .filter((span) => span.traceId === traceId && span.name === 'chat gpt-test')
    .toSorted((one, other) => one.startMs - other.startMs);

test(
  verifies(
    'R4:trace-kill',
    'a turn whose runtimes are killed while it waits for a human is one trace, with one span from its true beginning',
  ),
  async () => {
    const client = await connectWire({
      ...{ ws: system.gateways[0]?.ws ?? '', token: system.token, session: 'killed' },
      hello: { client_id: 'client-t', tools: ['write_file'] },
    });
    await client.waitForType('welcome');
    const caller = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) };
    client.send({
      ...{ type: 'user_message', message_id: 'm1', traceparent: `00-${caller.traceId}-${caller.spanId}-01` },
      content: plan({ calls: [{ tool: 'write_file', args: { path: 'a.txt', content: 'x' } }] }, { text: 'The end.' }),
    });
    const call = await client.waitForType('tool_call');
    expect(call['traceparent']).toMatch(`00-${caller.traceId}-`);
    await collector.waitFor('model_request', ({ traceId }) => traceId === caller.traceId); // what a killed process held is lost
    const killedAtMs = Date.now();
    for (const { url } of system.runtimes) process.kill(await system.pidOf(url), 'SIGKILL');
    client.send({ type: 'hitl_decision', call_id: call['call_id'], decision: 'approve', args_sha256: call['args_sha256'] });
    await client.waitForType('approval_resolved');
    client.send({ type: 'tool_result', call_id: call['call_id'], result: { success: true, bytes_written: 1 } });
    await client.waitForType('turn_ended', 30_000);
    const asked = [
      'codelab-agent-runtime: execute_tool write_file',
      ['codelab-agent-runtime: approval_wait'],
      ['codelab-gateway: gateway hitl_decision'],
      ['codelab-gateway: gateway tool_result'],
    ];
    await collector.waitFor('invoke_agent coder', ({ traceId }) => traceId === caller.traceId);
    const turn = ['codelab-agent-runtime: invoke_agent coder', asked, ASKED, ASKED];
    const trace = [['codelab-gateway: gateway user_message', turn]];
    await eventually('the trace', () => JSON.stringify(treeOf(caller.traceId, caller.spanId)) === JSON.stringify(trace)).catch(
      () => undefined,
    );
    expect(treeOf(caller.traceId, caller.spanId)).toEqual(trace);
    for (const name of ['invoke_agent coder', 'execute_tool write_file', 'approval_wait']) {
      const span = collector.spans.find((one) => one.traceId === caller.traceId && one.name === name);
      expect(span?.startMs).toBeLessThan(killedAtMs);
      expect(span?.endMs).toBeGreaterThan(killedAtMs);
    }
    await client.close();
  },
  60_000,
);

test(
  verifies('L3:trace-tasks', 'what an agent of a task does stands in the trace of the turn, below the call that it is made for'),
  async () => {
    const client = await connectWire({
      ...{ ws: system.gateways[0]?.ws ?? '', token: system.token, session: 'parts' },
      hello: { protocol_versions: ['2.1'], vocabulary: 'agent', client_id: 'client-u', tools: ['read_file'] },
    });
    await client.waitForType('welcome');
    const part = { tool: 'task', args: { description: 'a part', prompt: plan({ text: 'done' }) } };
    client.send({ type: 'user_message', message_id: 'm2', content: plan({ calls: [part] }, { text: 'all done' }) });
    await client.waitForType('turn_ended');
    const child = await collector.waitFor(/^invoke_agent/, ({ attributes }) => attributes['codelab.session.kind'] === 'child of a task');
    const [task] = await Promise.all([collector.waitFor('execute_tool task')]);
    expect(child).toMatchObject({ traceId: task.traceId, parentSpanId: task.spanId, attributes: { 'codelab.parent_session.id': 'parts' } });
    await client.close();
  },
);
