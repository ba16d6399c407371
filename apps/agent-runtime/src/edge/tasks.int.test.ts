import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ClaimedStep, taskRef } from '@codelab/bus';
import { connectBus, type Bus } from '@codelab/bus/redis';
import type { HistoryItem } from '@codelab/llm';
import { eventually, startRedis, verifies, type TestRedis } from '@codelab/testkit';
import { answerOf, Client, startModel } from './__fixtures__/peers.js';
import { startProcess, type RuntimeProcess } from './__fixtures__/start-process.js';

let redis: TestRedis;
let peers: Bus;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  redis = await startRedis({ aof: true });
  peers = await connectBus({ url: redis.url });
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await peers.close();
  await redis.close();
});

const open = async (name: string, joining = {}): Promise<Client> => {
  const client = await Client.open(peers, name, { vocabulary: 'agent', ...joining });
  closing.push(() => client.close());
  return client;
};

const start = async (): Promise<RuntimeProcess> => {
  const runtime = await startProcess(redis.url);
  closing.push(() => runtime.end('SIGKILL'));
  return runtime;
};

type Think = (
  said: string,
  history: readonly HistoryItem[],
  step: ClaimedStep,
) => Parameters<typeof answerOf>[0] | Promise<Parameters<typeof answerOf>[0]>;

/** A model that answers by what it was asked first. */
const model = async (think: Think): Promise<void> => {
  const consumer = await startModel(peers, async (history, step) => {
    const first = history.find(({ role }) => role === 'user');
    return answerOf(await think(first?.role === 'user' ? first.content : '', history, step));
  });
  closing.push(() => consumer.close());
};

const task = (id: string, prompt: string, subagent_type = 'coder') => ({
  ...{ providerId: id, name: 'task' },
  arguments: JSON.stringify({ description: 'a part', prompt, subagent_type }),
});
const results = (history: readonly HistoryItem[]) => history.flatMap((item) => (item.role === 'tool' ? [item.content] : []));
const ended = (client: Client) => eventually('turn_ended', () => client.of('turn_ended').length > 0);

/** The child of a call, as the gateways follow it. */
const childOf = async (client: Client, callId: string): Promise<Client> => {
  const ref = taskRef(client.ref, callId);
  const meta = await eventually('the child', () => peers.store.readMeta(ref));
  const child = new Client(peers, ref, client.clientId);
  await child.follow(meta);
  closing.push(() => child.close());
  return child;
};
const callsOf = (client: Client, count: number) =>
  eventually('the calls', () => (client.of('tool_call').length >= count ? client.of('tool_call') : undefined));

test(
  verifies('L3:task', 'agents work side by side in sessions of their own, and their last words are the results; what they used counts'),
  async () => {
    await start();
    await model((said, history) => {
      if (said !== 'go') return { text: `${said} is done` };
      return results(history).length > 0 ? { text: results(history).join(', ') } : { toolCalls: [task('a', 'one'), task('b', 'two')] };
    });
    const client = await open('side-by-side');
    await client.say('go');
    await ended(client);
    expect(client.text).toBe('one is done, two is done');
    expect(client.of('tool_call')).toMatchObject([
      { tool_name: 'task', runs_at: 'server', requires_approval: false, args: { prompt: 'one', agent: 'coder' } },
      { tool_name: 'task', runs_at: 'server' },
    ]);
    expect(client.of('turn_ended')).toMatchObject([{ status: 'completed', usage: { input_tokens: 4, output_tokens: 4 } }]);
  },
);

test(
  verifies(
    'H1:task',
    'the calls of an agent that works on a part of a task are judged as its own and as those of the agent that asked, and it can give no parts itself',
  ),
  async () => {
    const offered: string[][] = [];
    await start();
    await model(async (said, history, step) => {
      offered.push(step.request.tools.map(({ name }) => name));
      if (said === 'go') return results(history).length > 0 ? { text: results(history)[0] ?? '' } : { toolCalls: [task('a', 'write')] };
      if (results(history).length > 0) return { text: results(history)[0] ?? '' };
      return { toolCalls: [{ providerId: 'w', name: 'write_file', arguments: '{"path":"a.txt","content":"x"}' }] };
    });
    const client = await open('narrow', { agent: 'ask' });
    await client.say('go');
    await ended(client);
    expect(client.text).toMatch(/TOOL_NOT_FOUND|DENIED_BY_POLICY/);
    expect([offered[0]!.includes('task'), offered[1]!.includes('task')]).toEqual([true, false]);
    expect(offered[1]).not.toContain('write_file');
  },
);

test(
  verifies(
    'H1:task-tightened',
    'a session that becomes stricter, or whose agent becomes one that may do less, is heeded by the agents that work for it from their next call on',
  ),
  async () => {
    await start();
    await model((said, history) => {
      const done = results(history);
      if (said === 'go') return done.length > 0 ? { text: done[0] ?? '' } : { toolCalls: [task('a', 'write')] };
      if (done.length === 3) return { text: done[2] ?? '' };
      return { toolCalls: [{ providerId: 'w', name: 'write_file', arguments: `{"path":"${String(done.length)}.txt","content":"x"}` }] };
    });
    const client = await open('tightened', { mode: 'permissive' });
    await client.say('go');
    const [call] = await callsOf(client, 1);
    const child = await childOf(client, call!.call_id);
    const [free] = await callsOf(child, 1);
    await peers.store.patch(client.ref, { mode: 'strict' });
    await child.settle(free!.call_id, { success: true, bytes_written: 1 });
    const [, asked] = await callsOf(child, 2);
    await peers.store.switchAgent(client.ref, 'ask', JSON.stringify({ type: 'agent_switched', agent: 'ask' }));
    await eventually('the switch', async () => (await peers.store.readMeta(client.ref))?.state.includes('"agent":"ask"'));
    await child.decide(asked!.call_id, 'approved');
    await child.settle(asked!.call_id, { success: true, bytes_written: 1 });
    await ended(client);
    expect(child.of('tool_call').map(({ requires_approval }) => requires_approval)).toEqual([false, true]);
    expect(client.text).toMatch(/DENIED_BY_POLICY|TOOL_NOT_FOUND/);
  },
);

test(
  verifies('R4:task', 'a part of the task and its questions outlive kill -9 of all runtimes; it is begun once and its result comes once'),
  async () => {
    const first = await start();
    const begun = new Set<string>();
    await model((said, history, step) => {
      if (said === 'go') return results(history).length > 0 ? { text: results(history)[0] ?? '' } : { toolCalls: [task('a', 'write')] };
      begun.add(step.ref.sid);
      if (results(history).length > 0) return { text: 'written' };
      return { toolCalls: [{ providerId: 'w', name: 'write_file', arguments: '{"path":"a.txt","content":"x"}' }] };
    });
    const client = await open('killed');
    await client.say('go');
    const [call] = await callsOf(client, 1);
    const child = await childOf(client, call!.call_id);
    const [write] = await callsOf(child, 1);
    expect(write).toMatchObject({ origin: 'task', task_call_id: call!.call_id, requires_approval: true });
    await first.end('SIGKILL');
    await child.decide(write!.call_id, 'approved');
    await child.settle(write!.call_id, { success: true, bytes_written: 1 });
    await start();
    await ended(client);
    expect(client.text).toBe('written');
    expect(begun.size).toBe(1);
    expect(results(await client.history())).toEqual(['written']);
  },
);

test(
  verifies('L2:task-cancelled', 'cancelling the turn cancels the agents that work for it; one of them can be stopped alone'),
  async () => {
    await start();
    await model((said, history) => {
      if (said === 'go')
        return results(history).length > 0 ? { text: results(history).join('\n') } : { toolCalls: [task('a', 'one'), task('b', 'two')] };
      return { text: 'so far', toolCalls: [{ providerId: 'w', name: 'write_file', arguments: '{"path":"a.txt","content":"x"}' }] };
    });
    const client = await open('cancelled');
    const turnId = await client.say('go');
    const calls = await callsOf(client, 2);
    const [one, two] = [await childOf(client, calls[0]!.call_id), await childOf(client, calls[1]!.call_id)];
    await Promise.all([callsOf(one, 1), callsOf(two, 1)]);
    await peers.store.requestCancel(one.ref, { queue: false });
    await ended(one);
    await eventually(
      'its result',
      async () =>
        (await peers.store.readCalls(client.ref.sid)).some(({ callId, state }) => callId === calls[0]!.call_id && state === 'answered') ||
        undefined,
    );
    expect(two.of('turn_ended')).toEqual([]);
    await peers.store.requestCancel(client.ref, { turnId, queue: false });
    await ended(client);
    await ended(two);
    expect(two.of('turn_ended')).toMatchObject([{ status: 'cancelled' }]);
    expect(results(await client.history())).toEqual([
      'Error: coder ended cancelled: it was stopped\nWhat it had: so far',
      expect.stringMatching(/^Error/),
    ]);
  },
);

test(verifies('S1:task', 'a part of the task is in no list of sessions'), async () => {
  await start();
  await model((said) => (said === 'go' ? { toolCalls: [task('a', 'one')] } : { text: 'done' }));
  const client = await open('listed');
  await client.say('go');
  const [call] = await callsOf(client, 1);
  const child = await childOf(client, call!.call_id);
  const names = (await peers.store.list(client.ref.owner, { offset: 0, limit: 100 })).map(({ ref }) => ref.sessionId);
  expect(names).not.toContain(child.ref.sessionId);
});
