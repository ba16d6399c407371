import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, startRedis, startScriptedProvider, verifies, type ScriptedProvider, type TestRedis } from '@codelab/testkit';
import { startProxy, TOKEN, type TestProxy } from '../__fixtures__/start-proxy.js';

const MESSAGES = [{ role: 'user', content: 'hi' }];
/** Each with what stands for a spent budget in its dialect. */
const ENDPOINTS: readonly (readonly [path: string, body: object, at: number, outOfQuota: readonly unknown[]])[] = [
  ['/v1/chat/completions', { model: 'dear', messages: MESSAGES }, 0, [429, 'insufficient_quota']],
  ['/v1/messages', { model: 'dear', max_tokens: 9, messages: MESSAGES }, 1, [402, 'billing_error']],
  ['/v1/responses', { model: 'dear', input: 'hi' }, 2, [429, 'insufficient_quota']],
];

let folder: string;
let redis: TestRedis;
let provider: ScriptedProvider;
let proxy: TestProxy;
beforeAll(async () => {
  [folder, redis] = await Promise.all([mkdtemp(join(tmpdir(), 'limits-')), startRedis()]);
  provider = await startScriptedProvider({ script: () => ({ text: 'ok', usage: { prompt_tokens: 1_000, completion_tokens: 1 } }) });
  const modelsFile = join(folder, 'models.yaml');
  const lines = [
    `upstreams: { own: { type: openai, base_url: "${provider.baseUrl}" } }`,
    'models: { dear: { upstream: own, price: { input: 1000, output: 0 } } }', // a dollar for each request
    'keys: { "quick/*": { requests_per_minute: 1 }, "poor/*": { budget: { usd: 0.5, per: total } } }',
  ];
  await writeFile(modelsFile, lines.join('\n'));
  const persons = ENDPOINTS.flatMap(([, , at]) => ['quick', 'poor'].map((tenant) => `${tenant}-${String(at)}=${tenant}/p${String(at)}`));
  proxy = await startProxy({ modelsFile, redisUrl: redis.url, tokens: [`${TOKEN}=acme/alice`, ...persons].join(',') });
  await eventually('the proxy is ready', async () => (await proxy.ask('/ready', undefined, { token: null })).status === 200);
});
afterAll(async () => {
  await proxy?.stop();
  await provider?.close();
  await redis?.close();
  await rm(folder, { recursive: true, force: true });
});

test.each(ENDPOINTS)(
  verifies('G4:key-limits', 'a key over its rate is told so in the dialect of %s, and when to come back'),
  async (path, body, at) => {
    const ask = () => proxy.ask(path, body, { token: `quick-${String(at)}` });
    expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect([refused.status, refused.json<{ error: { type: string } }>().error.type]).toEqual([429, 'rate_limit_error']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  },
);

test.each(ENDPOINTS)(
  verifies('G4:key-budget', 'a key whose budget is spent is told so in the dialect of %s, and that a repeat is of no use'),
  async (path, body, at, expected) => {
    const ask = () => proxy.ask(path, body, { token: `poor-${String(at)}` });
    const refused = await eventually('a refusal', async () => {
      const answer = await ask();
      return answer.status === 200 ? undefined : answer;
    });
    expect([refused.status, refused.json<{ error: { type: string } }>().error.type]).toEqual(expected);
    expect(refused.headers.get('x-should-retry')).toBe('false');
  },
);
