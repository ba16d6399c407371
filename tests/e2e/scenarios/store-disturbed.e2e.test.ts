import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectRedis, eventually, verifies, type ScriptedProvider } from '@codelab/testkit';
import { plan, startPlannedModel } from '../planned-model.js';
import { startSystem, type System } from '../start-system.js';
import { connectWire, type WireClient } from '../wire-client.js';

let model: ScriptedProvider;
let system: System;
let redis: ReturnType<typeof connectRedis>;
let sessions = 0;

const begin = async (): Promise<void> => {
  model = await startPlannedModel();
  system = await startSystem({
    ...{ gateways: 2, runtimes: 2, proxies: 1 },
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' },
  });
  redis = connectRedis(system.redis.url);
};

const end = async (): Promise<void> => {
  redis?.disconnect();
  await system?.stop();
  await model?.close();
};

const isReady = async (url: string): Promise<boolean> => (await fetch(`${url}/ready`)).ok;
const everything = (): readonly string[] => [...system.gateways, ...system.runtimes, ...system.proxies].map(({ url }) => url);

const allReady = (): Promise<unknown> =>
  eventually('all are ready', async () => (await Promise.all(everything().map((url) => isReady(url).catch(() => false)))).every(Boolean));

/** Kills a service, and waits until its successor is ready. */
const restart = async (url: string): Promise<void> => {
  const before = await eventually('it is up', () => system.pidOf(url).catch(() => undefined));
  process.kill(before, 'SIGKILL');
  const isAnother = async (): Promise<boolean> => (await system.pidOf(url)) !== before && (await isReady(url));
  await eventually('its successor is ready', () => isAnother().catch(() => false));
};

const redisPid = async (): Promise<number> => Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);

const DISTURBANCES = {
  FLUSHALL: () => redis.flushall(),
  'CONFIG SET appendfsync everysec': () => redis.config('SET', 'appendfsync', 'everysec'),
  'kill -9 of Redis': async () => {
    const before = await redisPid();
    process.kill(before, 'SIGKILL');
    await eventually('another Redis', async () => (await redisPid()) !== before);
  },
  'both at once': () => redis.multi().flushall().config('SET', 'appendfsync', 'everysec').exec(),
} satisfies Record<string, () => Promise<unknown>>;

/** A turn with a call, a result and a text, through one of the gateways. */
const completeTurn = async (gateway: number): Promise<string> => {
  sessions += 1;
  const name = `disturbed-${String(sessions)}`;
  const { ws = '' } = system.gateways[gateway % system.gateways.length] ?? {};
  const client: WireClient = await connectWire({
    ws,
    token: system.token,
    session: name,
    hello: { client_id: name, tools: ['read_file'] },
  });
  try {
    const content = plan({ calls: [{ tool: 'read_file', args: { path: 'a' } }] }, { text: 'The end.' });
    client.send({ type: 'user_message', content, message_id: 'm' });
    const call = await client.waitForType('tool_call');
    client.send({ type: 'tool_result', call_id: call['call_id'], result: { content: 'x', encoding: 'utf-8' } });
    return String((await client.waitForType('turn_ended'))['status']);
  } catch (error) {
    return String(error);
  } finally {
    client.kill();
  }
};

const ORDERS: readonly (readonly [string, () => readonly string[]])[] = [
  ['nothing', () => []],
  ['a gateway', () => [system.gateways[0]!.url]],
  ['a runtime', () => [system.runtimes[1]!.url]],
  ['the proxy', () => [system.proxies[0]!.url]],
  ['a runtime, then a gateway', () => [system.runtimes[0]!.url, system.gateways[1]!.url]],
  ['everything, one after another', everything],
];

/** Each order after the disturbances that once stopped everything; the first and the longest ones after the others. */
const CASES = Object.entries(DISTURBANCES).map(([name, disturb], index) => {
  const orders = index < 2 ? ORDERS : [ORDERS[0]!, ...ORDERS.slice(-2)];
  return [name, disturb, orders] as const;
});

describe.each(CASES)('after %s', (_, disturb, orders) => {
  // Services of its own: one that dies again and again is started again later each time, and that would be most of what is waited for.
  beforeAll(begin, 60_000);
  afterAll(end);

  test.each(orders)(verifies('R3:disturbed', 'and a restart of %s, each of 16 turns completes'), async (_name, order) => {
    await allReady();
    await completeTurn(0);
    await disturb();
    for (const url of order()) await restart(url);
    await allReady();
    const ends = await Promise.all(Array.from({ length: 16 }, (_value, index) => completeTurn(index)));
    expect(ends).toEqual(Array.from({ length: 16 }, () => 'completed'));
  });
});
