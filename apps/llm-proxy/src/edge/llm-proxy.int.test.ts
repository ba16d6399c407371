import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newId, sessionRef, type InboxEntry, type SessionRef, type StepDelta, type StepRequest } from '@codelab/bus';
import { connectBus, type Bus } from '@codelab/bus/redis';
import { readConfig, startService, type RunningService } from '@codelab/service-shell';
import {
  eventually,
  startRedis,
  startScriptedProvider,
  verifies,
  type Script,
  type ScriptedProvider,
  type TestRedis,
} from '@codelab/testkit';
import { ProxyConfig } from './config.js';
import { llmProxyModule } from './llm-proxy.module.js';

const KEY = 'sk-very-secret-key';
const PROMPT = 'my private prompt';
const READ_FILE = { name: 'read_file', description: 'Reads a file.', parameters: { type: 'object' } };

let redis: TestRedis;
let bus: Bus;
const cleanups: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  redis = await startRedis();
  bus = await connectBus({ url: redis.url });
});
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close();
});
afterAll(async () => {
  await bus.close();
  await redis.close();
});

async function startUpstream(script: Script): Promise<ScriptedProvider> {
  const upstream = await startScriptedProvider({ script });
  cleanups.push(() => upstream.close());
  return upstream;
}

async function startProxy(environment: Record<string, string> = {}): Promise<RunningService<ProxyConfig>> {
  const config = () =>
    Object.assign(readConfig(ProxyConfig, { LOG_LEVEL: 'silent', LLM_PROXY_PORT: '0', ...environment }), { redisUrl: redis.url });
  const service = await startService({
    name: 'llm-proxy',
    version: '0.1.0',
    config,
    port: { variable: 'LLM_PROXY_PORT', of: ({ port }) => port },
    module: llmProxyModule,
  });
  cleanups.push(() => service.stop());
  return service;
}

interface Asked {
  readonly ref: SessionRef;
  readonly deltas: StepDelta[];
  /** The entry that ends the step. */
  readonly end: () => Promise<Extract<InboxEntry, { kind: 'answer' | 'failure' }>>;
}

/** Asks a model in a session of its own, as a runtime would. */
async function ask(text: string, more: Partial<StepRequest> = {}): Promise<Asked> {
  const ref = sessionRef({ tenant: 't', sub: 'u' }, newId('ses'));
  const [turnId, stepId] = [newId('turn'), newId('step')];
  await bus.store.join(ref, { clientId: 'c', tools: '["read_file"]', protocolVersion: '2.0' }, { create: true });
  await bus.store.deliverMessage(ref, { messageId: 'm', turnId, frame: '{}', summary: '{}', whenBusy: 'enqueue' });
  const leased = await bus.store.takeLease(ref.sid, 'w');
  const deltas: StepDelta[] = [];
  await bus.models.watch(ref.sid, (delta) => void deltas.push(delta));
  const history = [JSON.stringify({ role: 'user', turn_id: turnId, message_id: 'm', content: text, at_ms: 1 })];
  const request: StepRequest = {
    turnId,
    messageId: 'a',
    model: '',
    agent: 'coder',
    vocabulary: 'codelab',
    historyVersion: 1,
    system: 'Be brief.',
    tools: [READ_FILE],
    ...more,
  };
  const step = { inboxUpTo: 1, state: '{}', frames: [], history, calls: [], modelRequest: { stepId, request: JSON.stringify(request) } };
  if (!leased) throw new Error('The session is leased already.');
  await bus.store.commit(ref, { leaseFence: leased.leaseFence, cancelSeen: '' }, step);
  const end = () =>
    eventually('the end of the step', async () => {
      const entries = await bus.store.readInbox(ref.sid, 1);
      return entries.find((entry) => entry.kind === 'answer' || entry.kind === 'failure');
    });
  return { ref, deltas, end };
}

/** The lines of a metric, once there are some: they are counted just after the answer was stored. */
const metric = ({ url }: RunningService<ProxyConfig>, name: string) =>
  eventually(name, async () => {
    const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n').filter((line) => line.startsWith(`codelab_llm_proxy_${name}`));
    return lines.length > 0 && lines;
  });

test('without any key the built-in model answers by real tool calls', async () => {
  const service = await startProxy();
  const asked = await ask('read a.txt');
  const end = await asked.end();
  expect(end.kind === 'answer' && JSON.parse(end.answer)).toMatchObject({
    model: 'offline',
    text: "I'll read `a.txt`.",
    toolCalls: [{ name: 'read_file', arguments: '{"path":"a.txt"}' }],
    finish: 'tool_calls',
  });
  await eventually('the deltas', () => asked.deltas.length >= 2);
  expect(asked.deltas[0]).toMatchObject({ attempt: 1, offset: 0, text: "I'll read `a.txt`." });
  expect(await (await fetch(`${service.url}/ready`)).json()).toEqual({ ready: true, waiting_for: [] });
});

test('an upstream is asked with system prompt, history and tools; its use is counted', async () => {
  const upstream = await startUpstream(() => ({ text: 'Hello', usage: { prompt_tokens: 30, completion_tokens: 4 } }));
  const service = await startProxy({ OPENAI_BASE_URL: upstream.baseUrl, OPENAI_API_KEY: KEY, CODELAB_MODEL: 'm1' });
  const end = await (await ask(PROMPT)).end();
  expect(end.kind === 'answer' && JSON.parse(end.answer)).toMatchObject({
    model: 'm1',
    text: 'Hello',
    usage: { inputTokens: 30, outputTokens: 4 },
  });
  const { body, headers } = await upstream.request(0);
  expect(headers.authorization).toBe(`Bearer ${KEY}`);
  expect(body).toMatchObject({
    model: 'm1',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: PROMPT },
    ],
    tools: [{ function: { name: 'read_file' } }],
  });
  expect(await metric(service, 'requests_total')).toEqual([
    'codelab_llm_proxy_requests_total{provider="openai",model="m1",outcome="answered",service="llm-proxy"} 1',
  ]);
  expect(await metric(service, 'tokens_total')).toContain(
    'codelab_llm_proxy_tokens_total{model="m1",direction="input",service="llm-proxy"} 30',
  );
  expect(await metric(service, 'first_token_seconds_count')).toEqual([
    'codelab_llm_proxy_first_token_seconds_count{service="llm-proxy",provider="openai",model="m1"} 1',
  ]);
});

test('a rate limit is waited for, as long as the provider says', async () => {
  const upstream = await startUpstream((_request, n) => (n === 0 ? { status: 429, headers: { 'retry-after': '0.05' } } : { text: 'now' }));
  const service = await startProxy({ OPENAI_BASE_URL: upstream.baseUrl });
  const end = await (await ask('x', { model: 'm2' })).end();
  expect(end.kind === 'answer' && JSON.parse(end.answer)).toMatchObject({ text: 'now' });
  expect(await metric(service, 'retries_total')).toEqual(['codelab_llm_proxy_retries_total{code="rate_limited",service="llm-proxy"} 1']);
});

test(verifies('L2:cancel', 'a cancelled turn closes the connection to the provider and stores nothing'), async () => {
  const upstream = await startUpstream(() => ({ text: 'never all of it', hold: new Promise(() => undefined), holdAfterChunks: 2 }));
  await startProxy({ OPENAI_BASE_URL: upstream.baseUrl });
  const { ref, deltas } = await ask('x');
  await eventually('text', () => deltas.length > 0);
  await bus.store.requestCancel(ref, { queue: false });
  const request = await upstream.request(0);
  expect(await request.ended).toBe('hung_up');
  expect((await bus.store.readInbox(ref.sid, 1)).map(({ kind }) => kind)).toEqual(['cancel']);
});

test(verifies('R4:proxy-restart', 'a proxy that stops lets go of its requests, and another one asks again'), async () => {
  const upstream = await startUpstream((_request, n) =>
    n === 0 ? { text: 'half', hold: new Promise(() => undefined), holdAfterChunks: 2 } : { text: 'whole' },
  );
  const first = await startProxy({ OPENAI_BASE_URL: upstream.baseUrl });
  const { end } = await ask('x');
  const held = await upstream.request(0);
  await startProxy({ OPENAI_BASE_URL: upstream.baseUrl });
  await first.stop();
  expect(await held.ended).toBe('hung_up');
  const entry = await end();
  expect(entry).toMatchObject({ kind: 'answer', attempt: 2 });
  expect(entry.kind === 'answer' && JSON.parse(entry.answer)).toMatchObject({ text: 'whole' });
});

test('without Redis it is alive and not ready', async () => {
  const nowhere = await startRedis();
  await nowhere.close();
  const config = () => Object.assign(readConfig(ProxyConfig, { LOG_LEVEL: 'silent', LLM_PROXY_PORT: '0' }), { redisUrl: nowhere.url });
  const service = await startService({
    name: 'llm-proxy',
    version: '0.1.0',
    config,
    port: { variable: 'LLM_PROXY_PORT', of: () => 0 },
    module: llmProxyModule,
  });
  cleanups.push(() => service.stop());
  const ready = await fetch(`${service.url}/ready`);
  expect([ready.status, await ready.json()]).toEqual([503, { ready: false, waiting_for: ['redis'] }]);
  expect((await fetch(`${service.url}/health`)).status).toBe(200);
});

test(verifies('L1:logs', 'neither key nor prompt nor what the provider says reaches a log, a client or a metric'), async () => {
  const upstream = await startUpstream((_request, n) =>
    n === 0
      ? { status: 500, headers: { 'content-type': 'text/html' }, body: `<html>${KEY} ${PROMPT} oops</html>` }
      : { status: 400, body: { error: { message: `${KEY} ${PROMPT} oops`, code: KEY, param: PROMPT } } },
  );
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const program = fileURLToPath(new URL('__fixtures__/proxy-on-socket.ts', import.meta.url));
  const main = spawn(process.execPath, ['--conditions=codelab-source', '--import', './scripts/register-swc.mjs', program, redis.socket], {
    cwd: root,
    env: {
      ...{ PATH: process.env.PATH, LOG_LEVEL: 'trace', LLM_PROXY_PORT: '0' },
      ...{ OPENAI_BASE_URL: upstream.baseUrl, OPENAI_API_KEY: KEY },
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  main.stderr.on('data', (data: Buffer) => (log += data.toString()));
  cleanups.push(async () => {
    if (main.exitCode === null && main.kill('SIGKILL')) await once(main, 'exit');
  });
  await eventually('the proxy', () => log.includes('service.ready'));
  const end = await (await ask(PROMPT)).end();
  await eventually('the log line', () => log.includes('step.ended'));
  const port = /"event":"service.listening","port":(\d+)/.exec(log)?.[1];
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(end.kind === 'failure' && JSON.parse(end.failure)).toMatchObject({ code: 'invalid_request', retryable: false });
  expect(log).toContain('"event":"provider.retried"');
  for (const secret of [KEY, PROMPT, 'oops']) for (const text of [log, metrics, JSON.stringify(end)]) expect(text).not.toContain(secret);
  main.kill('SIGTERM');
  expect(await once(main, 'exit')).toEqual([0, null]);
});
