import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, type ScriptedProvider, verifies } from '@codelab/testkit';
import { plan, type Planned, startPlannedModel } from '../planned-model.js';
import { startSystem, type System } from '../start-system.js';
import { connectWire, type WireClient, type WireFrame } from '../wire-client.js';

let system: System;
let provider: ScriptedProvider;

beforeAll(async () => {
  provider = await startPlannedModel();
  system = await startSystem({ env: { OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: 'sk-test', CODELAB_MODEL: 'gpt-test' } });
});

afterAll(async () => {
  await system.stop();
  await provider.close();
});

const connect = (session: string, more: object): Promise<WireClient> =>
  connectWire({
    ...{ ws: system.gateways[0]?.ws ?? '', token: system.token, session },
    hello: { protocol_versions: ['2.1'], vocabulary: 'agent', capabilities: ['agent_switched'], ...more },
  });
const IDE = { client_id: '11111111-0000-4000-8000-000000000000', tools: ['read_file', 'write_file', 'list_files'] };

const part = (...answers: Planned[]) => ({ tool: 'task', args: { description: 'a part', prompt: plan(...answers) } });
const writes = (path: string) => ({ tool: 'write_file', args: { path, content: 'x' } });
const ofTasks = (client: WireClient): WireFrame[] =>
  client.frames.filter((frame) => frame.type === 'tool_call' && frame['origin'] === 'task');
const about = (client: WireClient, type: string, callId: unknown): WireFrame[] =>
  client.frames.filter((frame) => frame.type === type && frame['call_id'] === callId);
const results = (): string[] =>
  (provider.requests.at(-1)?.body.messages ?? []).flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));

test(
  verifies(
    'H1:task-decided',
    'what an agent of a task asks is put before every client of the session and decided once; one of several is stopped alone',
  ),
  async () => {
    const ide = await connect('side-by-side', IDE);
    const watcher = await connect('side-by-side', { client_id: '22222222-0000-4000-8000-000000000000' });
    await Promise.all([ide.waitForType('welcome'), watcher.waitForType('welcome')]);
    ide.send({
      type: 'user_message',
      content: plan(
        {
          calls: [
            part({ text: 'one will', calls: [writes('one.txt')] }, { text: 'one is written' }),
            part({ text: 'two will', calls: [writes('two.txt')] }, { text: 'two is written' }),
          ],
        },
        { text: 'both are back' },
      ),
    });
    for (const client of [ide, watcher]) await eventually('two questions', () => ofTasks(client).length === 2);
    const [one, two] = ['one.txt', 'two.txt'].map((path) => ofTasks(watcher).find(({ args }) => (args as { path: string }).path === path)!);
    expect(one).toMatchObject({
      requires_approval: true,
      approval: { reason: expect.stringContaining('the agent coder asks') as unknown },
    });
    const decision = { type: 'hitl_decision', call_id: one!['call_id'], decision: 'approve', args_sha256: one!['args_sha256'] };
    watcher.send(decision);
    ide.send(decision);
    for (const client of [ide, watcher])
      await eventually('the decision', () => about(client, 'approval_resolved', one!['call_id']).length > 0);
    const late = await Promise.any([ide, watcher].map((client) => client.waitFor(({ type }) => type === 'error', 'the other is late')));
    expect(late).toMatchObject({ code: 'ALREADY_RESOLVED', reply_to: one!['call_id'] });
    const answer = { type: 'tool_result', call_id: one!['call_id'], fence: one!['fence'], result: { success: true, bytes_written: 1 } };
    ide.send(answer);
    ide.send(answer);
    await eventually('both answers', () => about(ide, 'tool_result_ack', one!['call_id']).length === 2);
    expect(about(ide, 'tool_result_ack', one!['call_id']).map(({ outcome }) => outcome)).toEqual(['accepted', 'duplicate']);

    const url = `${system.gateways[0]?.url ?? ''}/api/v1/sessions/side-by-side/tasks/${String(two!['task_call_id'])}/cancel`;
    const stopped = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${system.token}` } });
    expect(stopped.status).toBe(202);
    expect(await ide.waitForType('turn_ended')).toMatchObject({ status: 'completed' });
    await eventually('the question is gone', () => about(watcher, 'approval_resolved', two!['call_id']).length > 0);
    expect(about(watcher, 'approval_resolved', two!['call_id'])).toMatchObject([{ outcome: 'cancelled' }]);
    for (const client of [ide, watcher]) expect(about(client, 'approval_resolved', one!['call_id'])).toHaveLength(1);
    expect(results()).toEqual(['one is written', 'Error: coder ended cancelled: it was stopped\nWhat it had: two will']);
    await Promise.all([ide.close(), watcher.close()]);
  },
);

test(
  verifies('L3:handed-over', 'an orchestrator hands its turn to another agent with a note, and clients see it go and come back'),
  async () => {
    const ide = await connect('handed-over', { ...IDE, agent: 'orchestrator' });
    await ide.waitForType('welcome');
    const handOver = { tool: 'switch_agent', args: { agent: 'debug', note: 'find out why a.ts fails' } };
    ide.send({ type: 'user_message', content: plan({ calls: [handOver] }, { calls: [writes('a.txt')] }, { text: 'it was the port' }) });
    expect(await ide.waitForType('turn_ended')).toMatchObject({ status: 'completed' });
    const switched = ide.frames.filter(({ type }) => type === 'agent_switched');
    expect(switched).toMatchObject([
      { agent: 'debug', from: 'orchestrator', note: 'find out why a.ts fails' },
      { agent: 'orchestrator', from: 'debug' },
    ]);
    expect(ide.frames.filter(({ type }) => type === 'tool_call')).toEqual([]);
    expect(results()).toEqual([
      'You are the agent debug now, and go on with this turn. The agent orchestrator leaves you this note:\nfind out why a.ts fails',
      expect.stringMatching(/TOOL_NOT_FOUND|DENIED_BY_POLICY/),
    ]);
    await ide.close();
  },
);
