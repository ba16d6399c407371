import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newId } from '@codelab/bus';
import { connectBus, type Bus } from '@codelab/bus/redis';
import type { HistoryItem } from '@codelab/llm';
import { eventually, startRedis, verifies, type TestRedis } from '@codelab/testkit';
import { answerOf, Client, startModel } from './__fixtures__/peers.js';
import { startProcess, type RuntimeProcess } from './__fixtures__/start-process.js';
import { answerItem, startToolServer, type ToolServer } from './__fixtures__/tool-server.js';

let redis: TestRedis;
let peers: Bus;
let server: ToolServer | undefined;
let model: { close(): Promise<void> } | undefined;
let client: Client | undefined;
const processes = new Set<RuntimeProcess>();

beforeAll(async () => {
  redis = await startRedis();
  peers = await connectBus({ url: redis.url });
});
afterEach(async () => {
  for (const one of processes) await one.end('SIGKILL');
  processes.clear();
  await client?.close();
  await model?.close();
  await server?.close();
});
afterAll(async () => {
  await peers.close();
  await redis.close();
});

const startOne = async (): Promise<RuntimeProcess> => {
  const started = await startProcess(redis.url, '127.0.0.1');
  processes.add(started);
  return started;
};

/** A person with a safe tool, `look`, and one that takes effect, `order`, whose model calls both in its first answer. */
async function begin(onCall?: Parameters<typeof startToolServer>[0]): Promise<Client> {
  server = await startToolServer(onCall);
  client = await Client.open(peers, newId('ses'), { capabilities: 'tool_status tool_output' });
  for (const [name, idempotency] of [
    ['look', 'safe'],
    ['order', 'unsafe'],
  ] as const) {
    const tool = { name, idempotency, description: name, inputSchema: { type: 'object' }, headers: {}, tags: [], timeoutMs: 30_000 };
    await peers.serverTools.keep(client.ref.owner, { ...tool, url: server.url(`/${name}`) }, client.ref);
  }
  model = await startModel(peers, async (history) =>
    history.some(({ role }) => role === 'tool')
      ? answerOf({ text: 'done' })
      : answerOf({
          toolCalls: [
            { providerId: 'a', name: 'look', arguments: '{"n":1}' },
            { providerId: 'b', name: 'order', arguments: '{"n":2}' },
          ],
        }),
  );
  return client;
}

const approveAll = async (one: Client): Promise<void> => {
  await eventually('two questions', () => one.of('tool_call').length === 2);
  for (const { call_id, state, runs_at } of one.of('tool_call')) {
    expect({ state, runs_at }).toEqual({ state: 'waiting_approval', runs_at: 'server' });
    expect(await one.decide(call_id, 'approved')).toBe('decided');
  }
};

const resultsOf = async (one: Client): Promise<readonly string[]> =>
  (await one.history()).flatMap((item: HistoryItem) => (item.role === 'tool' ? [item.content] : []));

const ended = (one: Client) => eventually('the end of the turn', () => one.of('turn_ended')[0]);

test(
  verifies(
    'R2:server-calls-killed',
    'the runtime is killed while it runs calls: the safe one is run again, and of the other the model reads that nothing is known',
  ),
  async () => {
    const one = await begin((path, response, count) => (path === '/look' && count === 2 ? answerItem(response, 'second try') : undefined));
    const killed = await startOne();
    await one.say('go');
    await approveAll(one);
    await eventually('both run', () => server!.countOf('/look') === 1 && server!.countOf('/order') === 1);
    await killed.end('SIGKILL');
    await startOne();
    expect(await ended(one)).toMatchObject({ status: 'completed' });
    expect(server!.countOf('/look')).toBe(2);
    expect(server!.countOf('/order')).toBe(1);
    const [look, order] = await resultsOf(one);
    expect(look).toBe('second try');
    expect(order).toContain('Error [OUTCOME_UNKNOWN]');
  },
);

test(
  verifies('R2:server-calls-drained', 'a runtime that is told to stop lets a call that takes effect end, and another one goes on'),
  async () => {
    const one = await begin((path, response, count) => {
      if (path === '/look' && count === 2) answerItem(response, 'elsewhere');
      if (path === '/order') setTimeout(() => answerItem(response, 'ordered'), 1_000);
    });
    const stopped = await startOne();
    await one.say('go');
    await approveAll(one);
    await eventually('both run', () => server!.countOf('/look') === 1 && server!.countOf('/order') === 1);
    const end = stopped.end('SIGTERM');
    await startOne();
    expect(await end).toEqual({ code: 0, signal: null });
    expect(await ended(one)).toMatchObject({ status: 'completed' });
    expect([server!.countOf('/look'), server!.countOf('/order')]).toEqual([2, 1]);
    expect(await resultsOf(one)).toEqual(['elsewhere', 'ordered']);
  },
);

test(verifies('R2:server-calls-cancelled', 'a cancelled turn ends at once, whatever its tools by URL do'), async () => {
  const one = await begin();
  await startOne();
  await one.say('go');
  await approveAll(one);
  await eventually('both run', () => server!.countOf('/look') === 1 && server!.countOf('/order') === 1);
  const closed = Promise.all(server!.calls.map(({ response }) => new Promise((done) => response.once('close', done))));
  await peers.store.requestCancel(one.ref, { queue: false });
  await closed;
  expect(await ended(one)).toMatchObject({ status: 'cancelled' });
  const [look, order] = await resultsOf(one);
  expect(look).toContain('Error [CANCELLED]');
  expect(order).toContain('Error [OUTCOME_UNKNOWN]');
});

test(
  verifies(
    'R4:server-calls-parked',
    'a session waits in memory for a call of the servers however short it lingers, and costs nothing while a human decides',
  ),
  async () => {
    const one = await begin((path, response) => setTimeout(() => answerItem(response, path), 300));
    await startOne();
    await one.say('go');
    await approveAll(one);
    expect(await ended(one)).toMatchObject({ status: 'completed' });
    expect(await resultsOf(one)).toEqual(['/look', '/order']);
  },
);
