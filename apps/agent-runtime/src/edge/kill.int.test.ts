import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectBus, type Bus } from '@codelab/bus/redis';
import type { HistoryItem } from '@codelab/llm';
import { eventually, startRedis, verifies, type TestRedis } from '@codelab/testkit';
import { answerOf, Client, startModel } from './__fixtures__/peers.js';
import { startProcess, type RuntimeProcess } from './__fixtures__/start-process.js';

const SESSIONS = 12;
const ROUNDS = 4;

let redis: TestRedis;
let peers: Bus;
const processes = new Set<RuntimeProcess>();

beforeAll(async () => {
  redis = await startRedis();
  peers = await connectBus({ url: redis.url });
});
afterAll(async () => {
  for (const one of processes) await one.end('SIGKILL');
  await peers.close();
  await redis.close();
});

const startOne = async (): Promise<RuntimeProcess> => {
  const started = await startProcess(redis.url);
  processes.add(started);
  return started;
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const think = async (history: readonly HistoryItem[]) => {
  const round = history.filter(({ role }) => role === 'assistant').length;
  await pause(20 + Math.random() * 100);
  if (round === ROUNDS) return answerOf({ text: 'done' });
  const args = (path: string): string => JSON.stringify({ path: `${path}${String(round)}` });
  const write = { providerId: 'w', name: 'write_file', arguments: JSON.stringify({ path: `w${String(round)}`, content: '' }) };
  return answerOf({
    text: `round ${String(round)}. `,
    toolCalls: [
      { providerId: 'a', name: 'read_file', arguments: args('a') },
      write,
      { providerId: 'b', name: 'read_file', arguments: args('b') },
    ],
  });
};

const EXPECTED_ROLES = ['user', ...Array.from({ length: ROUNDS }, () => ['assistant', 'tool', 'tool', 'tool']).flat(), 'assistant'];

test(
  verifies('R3:kill', 'runtimes are killed at any moment: every turn completes once, each call runs once and has one result'),
  async () => {
    const model = await startModel(peers, think);
    const clients = await Promise.all(Array.from({ length: SESSIONS }, (_, place) => Client.open(peers, `killed-${String(place)}`)));
    const runtimes = await Promise.all([startOne(), startOne()]);
    for (const client of clients) client.execute(({ tool_name }) => ({ tool_name }));
    await Promise.all(clients.map((client) => client.say('go')));

    const isOver = (): boolean => clients.every((client) => client.of('turn_ended').length > 0);
    for (let kills = 0; kills < 5 && !isOver(); kills += 1) {
      await pause(100 + Math.random() * 400);
      const [victim] = runtimes.splice(0, 1);
      await victim!.end('SIGKILL');
      runtimes.push(await startOne());
    }
    await eventually('all turns', isOver, { withinMs: 60_000 });

    for (const client of clients) {
      expect(client.of('turn_started')).toHaveLength(1);
      expect(client.of('turn_ended')).toMatchObject([{ status: 'completed', usage: { input_tokens: ROUNDS + 1 } }]);
      expect((await client.history()).map(({ role }) => role)).toEqual(EXPECTED_ROLES);
      expect(client.of('tool_call')).toHaveLength(3 * ROUNDS);
      expect([...client.effects.values()]).toEqual(Array.from({ length: 3 * ROUNDS }, () => 1));
      expect(client.text).toBe(`${Array.from({ length: ROUNDS }, (_, round) => `round ${String(round)}. `).join('')}done`);
      expect(client.frames.map(({ seq }) => seq)).toEqual(client.frames.map((_, place) => place + 1));
    }
    for (const runtime of runtimes) expect(await runtime.end('SIGTERM')).toEqual({ code: 0, signal: null });
    for (const client of clients) await client.close();
    await model.close();
  },
);

test(verifies('R1:stopped-holder', 'a runtime that stood still while another went on writes nothing more when it wakes up'), async () => {
  const model = await startModel(peers, async (history) =>
    history.some(({ role }) => role === 'tool')
      ? answerOf({ text: 'done' })
      : answerOf({ toolCalls: [{ providerId: 'a', name: 'read_file', arguments: '{"path":"a"}' }] }),
  );
  const stopped = await startOne();
  const client = await Client.open(peers, 'stopped');
  await client.say('go');
  const call = await eventually('tool_call', () => client.of('tool_call')[0]);
  stopped.child.kill('SIGSTOP');
  const other = await startOne();
  await client.settle(call.call_id, {});
  await eventually('turn_ended', () => client.of('turn_ended').length === 1);
  stopped.child.kill('SIGCONT');
  await client.say('and again');
  await eventually('turn_ended', () => client.of('turn_ended').length === 2);
  expect(client.frames.map(({ type }) => type)).toEqual([
    ...['turn_started', 'tool_call', 'assistant_message', 'turn_ended'],
    ...['turn_started', 'assistant_message', 'turn_ended'],
  ]);
  for (const runtime of [stopped, other]) expect(await runtime.end('SIGTERM')).toEqual({ code: 0, signal: null });
  await client.close();
  await model.close();
});
