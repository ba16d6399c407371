import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  eventually,
  startRedis,
  startScriptedProvider,
  verifies,
  type Reply,
  type ScriptedProvider,
  type TestRedis,
} from '@codelab/testkit';
import { startProxy, TOKEN, type TestProxy } from '../__fixtures__/start-proxy.js';

const PATH = '/v1/embeddings';
const VECTOR = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5, -0.5] }], model: 'm' };
const ANSWER = { ...VECTOR, usage: { prompt_tokens: 8, total_tokens: 8 } };
const never = new Promise<never>(() => undefined);

interface Answer {
  readonly data: readonly { readonly index: number; readonly embedding: readonly number[] | string }[];
  readonly model: string;
  readonly usage: { readonly prompt_tokens: number };
}
interface Refusal {
  readonly error: { readonly message: string; readonly type: string; readonly param: string | null };
}

let folder: string;
let redis: TestRedis;
let provider: ScriptedProvider;
let proxy: TestProxy;
const replies = new Map<string, Reply>();
beforeAll(async () => {
  [folder, redis] = await Promise.all([mkdtemp(join(tmpdir(), 'embeddings-')), startRedis()]);
  provider = await startScriptedProvider({ script: ({ body }) => replies.get(body.model) ?? { body: ANSWER } });
  const modelsFile = join(folder, 'models.yaml');
  const lines = [
    'upstreams:',
    `  own: { type: openai, base_url: "${provider.baseUrl}" }`,
    `  away: { type: openai, base_url: "${provider.baseUrl}", timeouts: { total_ms: 80 } }`,
    `  other: { type: anthropic, base_url: "${provider.origin}" }`,
    'models:',
    '  dear: { upstream: own, model: vendor-name, price: { input: 1, output: 0, embedding: 1000 } }',
    '  silent: { upstream: away, model: slow }',
    'aliases: { words: dear }',
    'routes: { safe: { models: [{ model: silent }], fallback: [offline] } }',
    'keys: { "quick/*": { requests_per_minute: 1 }, "small/*": { tokens_per_minute: 50 }, "narrow/*": { models: [offline] } }',
  ];
  await writeFile(modelsFile, lines.join('\n'));
  const persons = ['quick', 'small', 'narrow'].map((tenant) => `${tenant}=${tenant}/p`);
  proxy = await startProxy({ modelsFile, redisUrl: redis.url, tokens: [`${TOKEN}=acme/alice`, ...persons].join(',') });
  await eventually('the proxy is ready', async () => (await proxy.ask('/ready', undefined, { token: null })).status === 200);
});
afterAll(async () => {
  await proxy?.stop();
  await provider?.close();
  await redis?.close();
  await rm(folder, { recursive: true, force: true });
});

test(
  verifies('L3:embeddings', 'embeddings are relayed byte for byte under the upstream’s name of the model, and counted with their price'),
  async () => {
    const before = provider.requests.length;
    const body = { model: 'words', input: ['a', 'b'], encoding_format: 'float', dimensions: 2, user: 'u', session_id: 's1' };
    const answer = await proxy.ask(PATH, body);
    expect([answer.status, answer.text]).toEqual([200, JSON.stringify(ANSWER)]);
    expect([answer.headers.get('content-type'), answer.headers.get('x-codelab-model')]).toEqual(['application/json', 'vendor-name']);
    const { session_id: _ours, ...theirs } = body;
    expect(provider.requests[before]).toMatchObject({ path: '/v1/embeddings', body: { ...theirs, model: 'vendor-name' } });
    expect(provider.requests[before]!.body).not.toHaveProperty('session_id');
    await eventually('the usage is counted', async () => {
      const used = (await proxy.ask('/v1/usage')).text;
      return used.includes('vendor-name') && used.includes('0.008');
    });
  },
);

test.each<[what: string, body: object, param: string]>([
  ['no model', { input: 'a' }, 'model'],
  ['no input', { model: 'offline' }, 'input'],
  ['an empty text', { model: 'offline', input: '' }, 'input'],
  ['an empty list', { model: 'offline', input: [] }, 'input'],
  ['an empty text in a list', { model: 'offline', input: ['a', ''] }, 'input[1]'],
  ['too many texts', { model: 'offline', input: Array.from({ length: 2_049 }, () => 'a') }, 'input'],
  ['a wrong encoding', { model: 'offline', input: 'a', encoding_format: 'int8' }, 'encoding_format'],
  ['wrong dimensions', { model: 'offline', input: 'a', dimensions: 0 }, 'dimensions'],
  ['more dimensions than the built-in embedding has', { model: 'offline', input: 'a', dimensions: 257 }, 'dimensions'],
  ['a model of a vendor without embeddings', { model: 'claude-sonnet-4-5', input: 'a' }, 'model'],
])(verifies('G2:embeddings', 'a request for embeddings that can’t be is refused in OpenAI’s shape: %s'), async (_what, body, param) => {
  const answer = await proxy.ask(PATH, body);
  const { error } = answer.json<Refusal>();
  expect([answer.status, error.type, error.param]).toEqual([400, 'invalid_request_error', param]);
});

test('the built-in model embeds without key and network, in both encodings, tokens too', async () => {
  const ask = async (more: object) => (await proxy.ask(PATH, { model: 'offline', input: ['one text', 'another'], ...more })).json<Answer>();
  const floats = await ask({});
  expect(floats).toMatchObject({ object: 'list', model: 'offline', data: [{ object: 'embedding', index: 0 }, { index: 1 }] });
  const first = floats.data[0]!.embedding as readonly number[];
  expect(first).toHaveLength(256);
  expect(Math.hypot(...first)).toBeCloseTo(1, 5);
  const packed = await ask({ encoding_format: 'base64' });
  const bytes = Buffer.from(packed.data[0]!.embedding as string, 'base64');
  expect(first).toEqual(Array.from({ length: 256 }, (_, n) => bytes.readFloatLE(n * 4)));
  expect((await ask({ input: [1, 2, 3], dimensions: 8 })).data[0]!.embedding).toHaveLength(8);
  expect((await proxy.ask(PATH, { model: 'offline', input: 'a' })).headers.get('x-codelab-notes')).toContain('no language model');
});

test(verifies('G4:embeddings-limits', 'limits of a key hold for embeddings: models, requests and tokens'), async () => {
  const ask = (token: string, model: string, input: string) => proxy.ask(PATH, { model, input }, { token });
  expect((await ask('narrow', 'dear', 'a')).status).toBe(403);
  expect((await ask('narrow', 'offline', 'a')).status).toBe(200);
  expect([(await ask('quick', 'dear', 'a')).status, (await ask('quick', 'dear', 'a')).status]).toEqual([200, 429]);
  expect((await ask('small', 'dear', 'x'.repeat(1_000))).status).toBe(429);
});

test('an upstream that is late or fails is replaced by the next one, and its words are ours', async () => {
  replies.set('slow', { hold: never });
  const answer = await proxy.ask(PATH, { model: 'safe', input: 'a' });
  expect([answer.status, answer.headers.get('x-codelab-upstream')]).toEqual([200, 'offline']);
  replies.set('bad', { status: 401, body: { error: { message: 'key sk-very-secret is wrong' } } });
  const refused = await proxy.ask(PATH, { model: 'own/bad', input: 'a' });
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(refused.text).not.toContain('sk-very-secret');
  replies.set('page', { body: '<html>a page</html>' });
  const page = await proxy.ask(PATH, { model: 'own/page', input: 'a' });
  expect([page.status >= 500, page.text.includes('html')]).toEqual([true, false]);
});

test(
  verifies(
    'L2:embeddings',
    'a caller of embeddings that leaves ends the request upstream; an answer that breaks off is never taken for a whole one',
  ),
  async () => {
    replies.set('held', { body: ANSWER, hold: never, holdAfterChunks: 1 });
    const leave = new AbortController();
    const asked = provider.request(provider.requests.length);
    const answer = await proxy.send(PATH, { model: 'own/held', input: 'a' }, { signal: leave.signal });
    leave.abort();
    expect(await (await asked).ended).toBe('hung_up');
    await expect(answer.text()).rejects.toThrow();
    replies.set('cut', { body: ANSWER, cutAfterChunks: 1 });
    const cut = await proxy.send(PATH, { model: 'own/cut', input: 'a' });
    await expect(cut.text()).rejects.toThrow();
  },
);

test(verifies('G4:embeddings-size', 'an answer of any length goes through at the pace of its reader, held nowhere'), async () => {
  const piece = Buffer.alloc(64 * 1024, 'A');
  const pieces = 800;
  replies.set('large', {
    chunks: [
      '{"object":"list","data":[{"index":0,"embedding":"',
      ...Array.from({ length: pieces }, () => piece),
      '"}],"usage":{"prompt_tokens":5,"total_tokens":5}}',
    ],
    headers: { 'content-type': 'application/json' },
  });
  const before = process.memoryUsage().rss;
  const answer = await proxy.send(PATH, { model: 'own/large', input: 'a' });
  let bytes = 0;
  for await (const chunk of answer.body!) bytes += (chunk as Uint8Array).length;
  expect(bytes).toBeGreaterThan(pieces * piece.length);
  expect(process.memoryUsage().rss - before).toBeLessThan(pieces * piece.length * 3); // proxy, provider and reader are this process
});
