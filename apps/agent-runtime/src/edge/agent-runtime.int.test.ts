import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connectBus, type Bus } from '@codelab/bus/redis';
import { readConfig, startService, type RunningService } from '@codelab/service-shell';
import { eventually, startRedis, verifies, type TestRedis } from '@codelab/testkit';
import { answerOf, Client, startModel } from './__fixtures__/peers.js';
import { startProcess } from './__fixtures__/start-process.js';
import { agentRuntimeModule } from './agent-runtime.module.js';
import { RuntimeConfig } from './config.js';

let redis: TestRedis;
let peers: Bus;
const running: RunningService<RuntimeConfig>[] = [];

beforeAll(async () => {
  redis = await startRedis({ aof: true });
  peers = await connectBus({ url: redis.url });
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
});
afterAll(async () => {
  await peers.close();
  await redis.close();
});

const start = async (): Promise<RunningService<RuntimeConfig>> => {
  const service = await startService({
    name: 'agent-runtime',
    version: '0.0.0',
    config: () => Object.assign(readConfig(RuntimeConfig, { LOG_LEVEL: 'silent' }), { redisUrl: redis.url }),
    port: { variable: 'RUNTIME_PORT', of: () => 0 },
    module: agentRuntimeModule,
  });
  running.push(service);
  return service;
};

const readiness = async ({ url }: RunningService<RuntimeConfig>): Promise<unknown> => (await fetch(`${url}/ready`)).json();
const isReady = (service: RunningService<RuntimeConfig>) =>
  eventually('ready', async () => (await fetch(`${service.url}/ready`)).status === 200);

test('the service says what it does: turns, steps, calls, sessions', async () => {
  const service = await start();
  await isReady(service);
  const model = await startModel(peers, async (history) =>
    history.some(({ role }) => role === 'tool')
      ? answerOf({ text: 'done' })
      : answerOf({ toolCalls: [{ providerId: 'a', name: 'read_file', arguments: '{"path":"a"}' }] }),
  );
  const client = await Client.open(peers, 'metrics');
  client.execute(() => ({ content: '' }));
  await client.say('hello');
  const metrics = await eventually('the turn to be counted', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return text.includes('codelab_runtime_turns_total{status="completed"') ? text : undefined;
  });
  for (const line of [
    /^codelab_runtime_turns_total\{status="completed",service="agent-runtime"\} 1$/m,
    /^codelab_runtime_steps_total\{outcome="answered",service="agent-runtime"\} 2$/m,
    /^codelab_runtime_step_seconds_count\{service="agent-runtime"\} 2$/m,
    /^codelab_runtime_calls_total\{outcome="ok",service="agent-runtime"\} 1$/m,
    /^codelab_runtime_hot_sessions\{service="agent-runtime"\} 1$/m,
    /^codelab_runtime_sweeps_total/m,
    /^# TYPE codelab_runtime_commit_failures_total counter$/m,
  ]) {
    expect(metrics).toMatch(line);
  }
  await client.close();
  await model.close();
});

test(
  verifies('R1:holder-set-back', 'a session whose store lost what its holder had read begins a new epoch, though nothing is written'),
  async () => {
    await isReady(await start());
    const call = { providerId: 'a', name: 'read_file', arguments: '{"path":"a"}' };
    const model = await startModel(peers, async () => answerOf({ toolCalls: [call] }));
    const client = await Client.open(peers, 'set-back');
    await client.say('hello');
    await eventually('the call', () => client.of('tool_call').length === 1);
    const before = (await peers.store.readMeta(client.ref))!;
    const meta = `cl:{${client.ref.sid}}:meta`;
    await redis.client.hincrby(meta, 'inbox_done', -1); // the end of its file was torn off
    await redis.client.hincrby(meta, 'inbox_seq', -1);
    const after = await eventually('a new epoch', async () => {
      const now = await peers.store.readMeta(client.ref);
      return now?.epoch === before.epoch ? undefined : now;
    });
    expect([after.turnId, after.seq >= before.seq]).toEqual([before.turnId, true]);
    await client.close();
    await model.close();
  },
);

test(
  verifies('R4:claim-without-entry', 'a request that a store which was set back has as claimed, and nobody could find, is announced again'),
  async () => {
    await isReady(await start());
    const client = await Client.open(peers, 'claimed');
    await client.say('hello');
    const [step] = await eventually('the request', async () => {
      const steps = await redis.client.keys(`cl:{${client.ref.sid}}:step:*`);
      return steps.length > 0 ? steps : undefined;
    });
    await redis.client.hset(step!, { state: 'running', attempt: '1', until: '1', consumer: 'gone', entry: '1-0' });
    for (const stream of await redis.client.keys('cl:{models*')) await redis.client.del(stream);
    const model = await startModel(peers, async () => answerOf({ text: 'done' }));
    await eventually('the end of the turn', () => client.of('turn_ended').length === 1);
    await client.close();
    await model.close();
  },
);

test('without Redis it starts, says what it waits for, and works when Redis comes', async () => {
  await redis.kill();
  const service = await start();
  expect(await readiness(service)).toEqual({ ready: false, waiting_for: ['redis'] });
  expect((await fetch(`${service.url}/health`)).status).toBe(200);
  await redis.start();
  await isReady(service);
});

test('told to stop while Redis is away, it ends in order and within its time', async () => {
  const runtime = await startProcess(redis.url);
  await redis.kill();
  const startedAt = Date.now();
  expect(await runtime.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(Date.now() - startedAt).toBeLessThan(20_000);
  await redis.start();
});
