import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRedis, eventually, startRedis, verifies, type ScriptedProvider } from '@codelab/testkit';
import { plan, startPlannedModel } from '../planned-model.js';
import { startSystem, type System } from '../start-system.js';
import { connectWire } from '../wire-client.js';

const GATEWAY = fileURLToPath(new URL('../../../apps/gateway/dist/main.js', import.meta.url));
let model: ScriptedProvider;
let system: System;

beforeAll(async () => {
  model = await startPlannedModel();
  system = await startSystem({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' } });
});

afterAll(async () => {
  await system.stop();
  await model.close();
});

const isReady = async (url: string): Promise<boolean> => ((await (await fetch(`${url}/ready`)).json()) as { ready: boolean }).ready;

test(
  verifies('R4:redis', 'a Redis that dies while a call is pending loses nothing that was accepted, and the turn goes on by itself'),
  async () => {
    const client = await connectWire({
      ws: system.gateways[0]?.ws ?? '',
      token: system.token,
      session: 's',
      hello: { client_id: 'c', tools: ['read_file'] },
    });
    client.send({
      type: 'user_message',
      content: plan({ calls: [{ tool: 'read_file', args: { path: 'a' } }] }, { text: 'The end.' }),
      message_id: 'm',
    });
    const call = await client.waitForType('tool_call');
    process.kill(system.redis.pid ?? 0, 'SIGKILL');
    let accepted = false;
    client.onFrame((frame) => {
      accepted ||= frame.type === 'tool_result_ack';
    });
    await eventually('the result is accepted', async () => {
      if (!accepted) client.send({ type: 'tool_result', call_id: call['call_id'], result: { content: 'x', encoding: 'utf-8' } });
      return accepted;
    });
    await client.waitFor(({ type, status }) => type === 'turn_ended' && status === 'completed', 'the end', 30_000);
    for (const error of client.frames.filter(({ type }) => type === 'error'))
      expect(error).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
    expect(client.frames.filter(({ type, outcome }) => type === 'tool_result_ack' && outcome === 'accepted').length).toBe(1);
    await eventually('everything is ready', async () => isReady(system.gateways[0]?.url ?? ''));
    await client.close();
  },
);

test(verifies('G1:redis-at-start', 'a gateway whose Redis is away says so, waits, and becomes ready when it comes'), async () => {
  const redis = await startRedis();
  await redis.kill();
  const child = fork(GATEWAY, {
    env: { ...system.env, REDIS_URL: redis.url, GATEWAY_PORT: '0', CODELAB_TOKENS: 't=a/b' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let logs = '';
  child.stderr?.on('data', (chunk: Buffer) => (logs += chunk.toString()));
  const [listening] = (await once(child, 'message')) as [{ port: number }];
  const url = `http://127.0.0.1:${String(listening.port)}`;
  expect((await fetch(`${url}/health`)).status).toBe(200);
  const response = await fetch(`${url}/ready`);
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 503,
    body: { ready: false, waiting_for: ['redis'] },
  });
  expect(logs).toMatch(/redis/i);
  await redis.start();
  await eventually('the gateway is ready', async () => isReady(url));
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  await redis.close();
});

test(verifies('G4:ready-refused', 'a Redis that is full makes every service unready, with the reason, until it has room'), async () => {
  const redis = connectRedis(system.redis.url);
  const services = [...system.gateways, ...system.runtimes, ...system.proxies].map(({ url }) => url);
  const answers = () =>
    Promise.all(
      services.map(async (url) => {
        const response = await fetch(`${url}/ready`);
        return { status: response.status, body: (await response.json()) as object };
      }),
    );
  await redis.config('SET', 'maxmemory', '1');
  await eventually('nobody is ready', async () => (await answers()).every(({ status }) => status === 503));
  for (const { body } of await answers())
    expect(body).toEqual({ ready: false, waiting_for: ['redis'], reasons: { redis: expect.stringMatching(/refuses writes: OOM/) } });
  await redis.config('SET', 'maxmemory', '0');
  await eventually('all are ready', async () => (await answers()).every(({ status }) => status === 200));
  redis.disconnect();
});
