import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { LlmError } from '@codelab/llm';
import { eventually, startScriptedProvider, verifies, type Reply, type ScriptedProvider } from '@codelab/testkit';
import { openUpstream, TIMEOUTS } from './__fixtures__/open-upstream.js';
import type { Timeouts } from './transport/deadlines.js';
import type { RelayCall, Upstream } from './upstream.js';

const KEY = 'sk-very-secret-key';
const never = new Promise<never>(() => undefined);

let provider: ScriptedProvider;
let reply: Reply = {};
const open: Upstream[] = [];
beforeAll(async () => {
  provider = await startScriptedProvider({ script: () => reply });
});
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.close();
});
afterAll(() => provider.close());

type Kind = 'openai' | 'anthropic';
const baseOf = (type: Kind): string => (type === 'openai' ? provider.baseUrl : provider.origin);

function upstreamOf(type: Kind, more: { timeouts?: Partial<Timeouts>; baseUrl?: string; quirks?: object } = {}): Upstream {
  const { timeouts, ...rest } = more;
  const upstream = openUpstream({ type, baseUrl: baseOf(type), apiKey: KEY, timeouts: { ...TIMEOUTS, ...timeouts }, ...rest });
  open.push(upstream);
  return upstream;
}

const call = (type: Kind, more: Partial<RelayCall> = {}): RelayCall => ({
  dialect: type === 'openai' ? 'chat' : 'messages',
  body: '{"model": "m",  "n": 12345678901234567890, "stream": true}',
  stream: true,
  headers: {},
  signal: new AbortController().signal,
  ...more,
});

const nextRequest = () => provider.request(provider.requests.length);

test.each<[type: Kind, headers: object, path: string]>([
  ['openai', { authorization: `Bearer ${KEY}`, 'x-mine': 'a' }, '/v1/chat/completions'],
  ['anthropic', { 'x-api-key': KEY, 'anthropic-version': '2023-06-01', 'x-mine': 'a' }, '/v1/messages?beta=true'],
])(verifies('L3:relay', 'to %s a body goes byte for byte, with our key, and comes back byte for byte'), async (type, headers, path) => {
  reply = { chunks: [': wait\n\n', 'event: x\ndata: {"a":  1}\n\n'] };
  const asked = nextRequest();
  const query = type === 'anthropic' ? { query: 'beta=true' } : {};
  const answer = await upstreamOf(type).relay(call(type, { headers: { 'x-mine': 'a' }, ...query }));
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/event-stream']);
  expect(await text(answer.body)).toBe(': wait\n\nevent: x\ndata: {"a":  1}\n\n');
  const request = await asked;
  expect(request.text).toBe(call(type).body);
  expect(request.path).toBe(path);
  expect(request.headers).toMatchObject({ ...headers, 'content-type': 'application/json', 'accept-encoding': 'identity' });
});

test.each<[what: string, headers: Record<string, string>, more: Partial<RelayCall>, baseUrl: (url: string) => string, path: string]>([
  ['counting tokens', {}, { endpoint: 'count_tokens', stream: false }, (url) => url, '/v1/messages/count_tokens'],
  ['a version and betas of the caller', { 'anthropic-version': '2099-01-01', 'anthropic-beta': 'a,b' }, {}, (url) => url, '/v1/messages'],
  ['a base with the version', {}, {}, (url) => `${url}/v1/`, '/v1/messages'],
  ['a base with a query', {}, { query: 'beta=true' }, (url) => `${url}?tenant=t`, '/v1/messages?tenant=t&beta=true'],
])('Anthropic is asked with %s', async (_what, headers, more, baseUrl, path) => {
  reply = { usage: { prompt_tokens: 3, completion_tokens: 0 } };
  const asked = nextRequest();
  const { body } = await upstreamOf('anthropic', { baseUrl: baseUrl(provider.origin) }).relay(call('anthropic', { headers, ...more }));
  await text(body);
  expect(await asked).toMatchObject({ path, headers });
});

test('only what an upstream says it serves is relayed to it', async () => {
  const [plain, full] = [upstreamOf('openai'), upstreamOf('openai', { quirks: { responses: true } })];
  const vendor = openUpstream({ type: 'openai', baseUrl: 'https://api.openai.com/v1' });
  open.push(vendor);
  expect([plain, full, vendor, upstreamOf('anthropic')].map(({ dialects }) => [...dialects])).toEqual([
    ['chat'],
    ['chat', 'responses'],
    ['chat', 'responses'],
    ['messages'],
  ]);
  reply = { body: { id: 'resp_1' } };
  const asked = nextRequest();
  await text((await full.relay(call('openai', { dialect: 'responses', stream: false }))).body);
  expect((await asked).path).toBe('/v1/responses');
  await expect(plain.relay(call('openai', { dialect: 'messages' }))).rejects.toMatchObject({ code: 'not_found' });
});

test.each<[type: Kind, status: number, body: object | string, expected: object]>([
  ['openai', 401, { error: { message: `bad key ${KEY}` } }, { code: 'unauthorized', message: expect.stringContaining('OPENAI_API_KEY') }],
  [
    'anthropic',
    404,
    { error: { type: 'not_found_error', message: 'm' } },
    { code: 'not_found', message: expect.stringContaining('ANTHROPIC_BASE_URL') },
  ],
  ['anthropic', 529, { error: { type: 'overloaded_error', message: 'busy' } }, { code: 'overloaded', retryable: true }],
  ['openai', 502, `<html>${KEY}</html>`, { code: 'unavailable', retryable: true }],
  ['openai', 302, '', { code: 'unavailable', retryable: false }],
])(
  verifies('L1:refusals', 'a refusal of %s with %d becomes our error, and names the setting to check'),
  async (type, status, body, expected) => {
    reply = { status, body, headers: { location: 'http://127.0.0.1:1/' } };
    const failure: unknown = await upstreamOf(type)
      .relay(call(type))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'LlmError', ...expected });
    const { message, stack } = failure as LlmError;
    expect(`${message} ${String(stack)} ${JSON.stringify(failure)}`).not.toContain(KEY);
  },
);

const piece = (n: number) => `data: {"choices":[{"delta":{"content":"${String(n)}"}}]}\n\n`;
test.each<[type: Kind, when: string, stream: boolean, reply: Reply]>([
  ['openai', 'before the first byte', true, { hold: never }],
  ['anthropic', 'before the first byte', true, { hold: never }],
  ['openai', 'in the middle of a stream', true, { chunks: [piece(1), piece(2)], hold: never, holdAfterChunks: 1 }],
  ['anthropic', 'in the middle of a stream', true, { text: 'abc', hold: never, holdAfterChunks: 2 }],
  ['openai', 'before a JSON answer', false, { hold: never }],
  ['anthropic', 'before a JSON answer', false, { hold: never }],
])(verifies('L2:F6', 'of %s: a caller that leaves %s ends the connection to the provider'), async (type, when, stream, held) => {
  reply = held;
  const asked = nextRequest();
  const abort = new AbortController();
  const answering = upstreamOf(type).relay(call(type, { stream, signal: abort.signal }));
  const request = await asked;
  if (when === 'in the middle of a stream') {
    const { body } = await answering;
    await body[Symbol.asyncIterator]().next();
    abort.abort();
    await expect(text(body)).rejects.toMatchObject({ code: 'cancelled' });
  } else {
    abort.abort();
    await expect(answering).rejects.toMatchObject({ code: 'cancelled' });
  }
  expect(await request.ended).toBe('hung_up');
});

test('a body that is left closes the connection', async () => {
  reply = { chunks: [piece(1), piece(2)], hold: never, holdAfterChunks: 1 };
  const asked = nextRequest();
  const { body } = await upstreamOf('openai').relay(call('openai'));
  await body[Symbol.asyncIterator]().return?.();
  expect(await (await asked).ended).toBe('hung_up');
});

test('connections are kept for later requests', async () => {
  const upstream = upstreamOf('openai');
  reply = { chunks: [piece(1)] };
  const begin = provider.requests.length;
  for (let i = 0; i < 6; i++) await text((await upstream.relay(call('openai'))).body);
  expect(new Set(provider.requests.slice(begin).map(({ port }) => port)).size).toBeLessThan(3);
});

test('a request that was cancelled before is never sent', async () => {
  const before = provider.requests.length;
  await expect(upstreamOf('openai').relay(call('openai', { signal: AbortSignal.abort() }))).rejects.toMatchObject({ code: 'cancelled' });
  expect(provider.requests).toHaveLength(before);
});

test.each<[which: string, reply: Reply, stream: boolean, timeouts: Partial<Timeouts>, sentence: RegExp]>([
  ['the headers don’t come', { hold: never }, true, { firstTokenMs: 30 }, /longer than 0.03 s to begin/],
  [
    'only signs of life come',
    { chunks: Array.from({ length: 300 }, () => ': wait\n\n'), delayMs: 5 },
    true,
    { firstTokenMs: 60 },
    /to begin/,
  ],
  [
    'only pings come',
    { chunks: Array.from({ length: 300 }, () => 'event: ping\ndata: {"type": "ping"}\n\n'), delayMs: 5 },
    true,
    { firstTokenMs: 60 },
    /to begin/,
  ],
  [
    'a stream stops',
    { chunks: [piece(1), piece(2)], hold: never, holdAfterChunks: 1 },
    true,
    { idleMs: 40 },
    /longer than 0.04 s to go on/,
  ],
  [
    'a stream never ends',
    { chunks: Array.from({ length: 300 }, (_, i) => piece(i)), delayMs: 5 },
    true,
    { totalMs: 80 },
    /longer than 0.08 s to answer/,
  ],
  ['JSON doesn’t come', { hold: never }, false, { firstTokenMs: 1, totalMs: 60 }, /longer than 0.06 s to answer/],
])('the time runs out when %s', async (_which, held, stream, timeouts, sentence) => {
  reply = held;
  const before = provider.requests.length;
  const read = async () => text((await upstreamOf('openai', { timeouts }).relay(call('openai', { stream }))).body);
  await expect(read()).rejects.toMatchObject({ code: 'timeout', retryable: true, message: expect.stringMatching(sentence) });
  for (const request of provider.requests.slice(before)) expect(await request.ended).toBe('hung_up');
});

test(verifies('G4:upstream-backpressure', 'an upstream is read no faster than the caller reads'), async () => {
  const chunk = `data: ${'x'.repeat(256 * 1024)}\n\n`;
  const all = 160; // 40 MB: more than the buffers of two sockets hold
  let written = 0;
  const server: Server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = (): void => {
      while (written < all) {
        written += 1;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`;
  const { body } = await upstreamOf('openai', { baseUrl }).relay(call('openai'));
  let [before, still] = [-1, 0];
  await eventually('the upstream stands still', () => {
    still = written === before ? still + 1 : 0;
    before = written;
    return still > 20;
  });
  expect(written).toBeLessThan(all / 2);
  let bytes = 0;
  for await (const read of body) bytes += read.length;
  expect(bytes).toBe(all * chunk.length);
  server.close();
  server.closeAllConnections();
});

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
] as const)('what a server packs with %s though it was asked not to is unpacked', async (encoding, pack) => {
  reply = { chunks: [pack('{"a":"é"}')], headers: { 'content-encoding': encoding, 'content-type': 'application/json' } };
  expect(await text((await upstreamOf('openai').relay(call('openai'))).body)).toBe('{"a":"é"}');
  reply = { chunks: ['{"not packed": 1}'], headers: { 'content-encoding': encoding } };
  await expect(text((await upstreamOf('openai').relay(call('openai'))).body)).rejects.toMatchObject({ code: 'stream_interrupted' });
});
