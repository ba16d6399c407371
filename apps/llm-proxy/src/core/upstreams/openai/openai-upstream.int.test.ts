import { readFile } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { collectAnswer, type ModelRequest, type StreamPart } from '@codelab/llm';
import { startScriptedProvider, verifies, type Reply, type Script, type ScriptedProvider } from '@codelab/testkit';
import { openUpstream, TIMEOUTS } from '../__fixtures__/open-upstream.js';
import type { Timeouts } from '../transport/deadlines.js';
import type { Upstream } from '../upstream.js';

const KEY = 'sk-very-secret-key';
const PROMPT = 'my private prompt';
const REQUEST: ModelRequest = {
  model: 'gpt-5.4',
  messages: [{ role: 'user', parts: [{ kind: 'text', text: PROMPT }] }],
  tools: [{ name: 'git.diff', description: 'd', parameters: { type: 'object' } }],
};
const never = new Promise<never>(() => undefined);

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close();
});

interface Setup {
  readonly upstream: ScriptedProvider;
  readonly provider: Upstream;
}

async function setUp(script: Script, timeouts: Partial<Timeouts> = {}): Promise<Setup> {
  const upstream = await startScriptedProvider({ script });
  const provider = openUpstream({ type: 'openai', baseUrl: upstream.baseUrl, apiKey: KEY, timeouts: { ...TIMEOUTS, ...timeouts } });
  cleanups.push(
    () => upstream.close(),
    () => provider.close(),
  );
  return { upstream, provider };
}

const ask = ({ provider }: Setup, signal = new AbortController().signal) => collectAnswer(provider.stream(REQUEST, { signal }));
const replying = (reply: Reply) => () => reply;

test('asks with our key, model, messages and legal tool names, and reads text, calls and usage', async () => {
  const setup = await setUp(
    replying({
      text: 'Looking.',
      toolCalls: [{ id: 'call_1', name: 'git_diff', arguments: '{"path":"."}' }],
      usage: { prompt_tokens: 7, completion_tokens: 3 },
    }),
  );
  expect(await ask(setup)).toEqual({
    text: 'Looking.',
    toolCalls: [{ providerId: 'call_1', name: 'git.diff', arguments: '{"path":"."}' }],
    finish: 'tool_calls',
    usage: { inputTokens: 7, outputTokens: 3 },
  });
  const { headers, body, path } = await setup.upstream.request(0);
  expect(path).toBe('/v1/chat/completions');
  expect(headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'content-type': 'application/json' });
  expect(body).toMatchObject({
    model: 'gpt-5.4',
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'user', content: PROMPT }],
    tools: [{ function: { name: 'git_diff' } }],
  });
});

test('a stream in single bytes reads the same', async () => {
  const bytes = await readFile(new URL('__fixtures__/openai-two-calls.sse', import.meta.url));
  const setup = await setUp(replying({ chunks: Array.from(bytes, (byte) => Uint8Array.of(byte)) }));
  expect(await ask(setup)).toMatchObject({ text: '두 파일을 읽겠습니다 🙂.', finish: 'tool_calls' });
});

test('connections are kept for later requests', async () => {
  const setup = await setUp(replying({ text: 'ok', usage: { prompt_tokens: 1, completion_tokens: 1 } }));
  for (let i = 0; i < 6; i++) await ask(setup);
  expect(new Set(setup.upstream.requests.map(({ port }) => port)).size).toBeLessThan(4);
});

test('JSON is read although a stream was asked for, whatever its content type', async () => {
  const answer = { choices: [{ index: 0, message: { role: 'assistant', content: 'all at once' }, finish_reason: 'stop' }] };
  for (const contentType of ['application/json; charset=utf-8', 'text/plain']) {
    const setup = await setUp(replying({ body: answer, headers: { 'content-type': contentType } }));
    expect(await ask(setup)).toMatchObject({ text: 'all at once', finish: 'stop' });
  }
});

test('what is asked for in one piece comes in one piece, with its calls and usage', async () => {
  const call = { id: 'call_1', name: 'git_diff', arguments: '{"n":12345678901234567890}' };
  const setup = await setUp(replying({ text: 'all', toolCalls: [call], usage: { prompt_tokens: 7, completion_tokens: 3 } }));
  expect(await collectAnswer(setup.provider.stream(REQUEST, { signal: new AbortController().signal, inOnePiece: true }))).toEqual({
    ...{ text: 'all', finish: 'tool_calls', usage: { inputTokens: 7, outputTokens: 3 } },
    toolCalls: [{ providerId: 'call_1', name: 'git.diff', arguments: call.arguments }],
  });
  const { headers, body } = await setup.upstream.request(0);
  expect([headers.accept, body.stream]).toEqual(['application/json', false]);
  expect(Object.keys(body)).not.toContain('stream_options');
});

test('a server that streams although one piece was asked for is read too', async () => {
  const stream = 'data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const setup = await setUp(replying({ body: stream, headers: { 'content-type': 'text/event-stream' } }));
  const parts = setup.provider.stream(REQUEST, { signal: new AbortController().signal, inOnePiece: true });
  expect(await collectAnswer(parts)).toMatchObject({ text: 'hi', finish: 'stop' });
});

test('a stream is read although its content type is another', async () => {
  const setup = await setUp(replying({ text: 'hi', headers: { 'content-type': 'application/octet-stream' } }));
  expect(await ask(setup)).toMatchObject({ text: 'hi' });
});

test('a web page instead of an answer names the setting to check', async () => {
  const setup = await setUp(replying({ body: '<!doctype html>', headers: { 'content-type': 'text/html' } }));
  await expect(ask(setup)).rejects.toMatchObject({
    code: 'unavailable',
    retryable: false,
    message: expect.stringContaining('OPENAI_BASE_URL'),
  });
});

test.each<[what: string, reply: Reply, code: string, parts: number]>([
  ['before the headers', { cutAfterChunks: 0 }, 'unavailable', 0],
  ['before the first text', { text: 'abc', cutAfterChunks: 1 }, 'stream_interrupted', 0],
  ['in the middle of the text', { text: 'abcdef', pieceCharacters: 2, cutAfterChunks: 3 }, 'stream_interrupted', 2],
  ['by an end without a finish reason', { text: 'abcdef', pieceCharacters: 2, finishReason: null }, 'stream_interrupted', 3],
])(verifies('R3:no-invented-end', 'an answer cut off %s is an error, after what came was given out'), async (_what, reply, code, parts) => {
  const { provider } = await setUp(replying(reply));
  const seen: StreamPart[] = [];
  const read = async () => {
    for await (const part of provider.stream(REQUEST, { signal: new AbortController().signal })) seen.push(part);
  };
  await expect(read()).rejects.toMatchObject({ code, retryable: true });
  expect(seen.map(({ kind }) => kind)).toEqual(Array.from({ length: parts }, () => 'text_delta'));
});

test('a rate limit keeps the wait that the provider asks for', async () => {
  const setup = await setUp(replying({ status: 429, headers: { 'retry-after': '3' }, body: { error: { code: 'rate_limit_exceeded' } } }));
  await expect(ask(setup)).rejects.toMatchObject({ code: 'rate_limited', retryable: true, retryAfterMs: 3000 });
});

test('a redirect is not followed', async () => {
  const setup = await setUp(replying({ status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }));
  await expect(ask(setup)).rejects.toMatchObject({ code: 'unavailable', retryable: false });
});

test.each<[what: string, reply: Reply]>([
  ['a 400', { status: 400, body: { error: { message: `${KEY}: ${PROMPT}`, code: KEY, type: PROMPT, param: KEY } } }],
  ['a 401', { status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}` } } }],
  ['a page with status 500', { status: 500, headers: { 'content-type': 'text/html' }, body: `<html>${KEY} ${PROMPT}</html>` }],
  ['an error in the stream', { chunks: [{ error: { message: `${KEY} ${PROMPT}` } }] }],
  ['a chunk that is no JSON', { chunks: [`data: ${KEY} ${PROMPT}\n\n`] }],
  ['an answer that is no JSON', { body: `{"${KEY}": ${PROMPT}`, headers: { 'content-type': 'application/json' } }],
])(verifies('L1:provider-error', '%s that repeats key and prompt becomes an error without either'), async (_what, reply) => {
  const error: unknown = await ask(await setUp(replying(reply))).catch((thrown: unknown) => thrown);
  const { wording, ...fields } = Object.fromEntries(
    Object.getOwnPropertyNames(error).map((name) => [name, (error as Record<string, unknown>)[name]]),
  );
  expect((error as Error).name).toBe('LlmError');
  expect(JSON.stringify(fields)).not.toContain(PROMPT); // the words of a refusal are for who sent the prompt, and for nobody else
  expect(JSON.stringify([fields, wording])).not.toContain(KEY);
});

test.each<[when: string, reply: Reply, before: number]>([
  ['before the headers', { text: 'x', hold: never }, 0],
  ['before the first text', { text: 'x', hold: never, holdAfterChunks: 1 }, 0],
  ['in the middle of the text', { text: 'abcdef', pieceCharacters: 2, hold: never, holdAfterChunks: 3 }, 2],
])(verifies('L2:hang-up', 'a cancel %s ends the stream at once and closes the connection'), async (_when, reply, before) => {
  const { provider, upstream } = await setUp(replying(reply));
  const abort = new AbortController();
  let seen = 0;
  const read = async () => {
    for await (const _part of provider.stream(REQUEST, { signal: abort.signal })) if (++seen === before) abort.abort();
  };
  const reading = read();
  const request = await upstream.request(0);
  if (before === 0) abort.abort();
  await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
  expect(await request.ended).toBe('hung_up');
  expect(seen).toBe(before);
});

test(verifies('L2:reader-leaves', 'a reader that stops in the middle closes the connection'), async () => {
  const { provider, upstream } = await setUp(replying({ text: 'abcdef', pieceCharacters: 2, hold: never, holdAfterChunks: 3 }));
  for await (const part of provider.stream(REQUEST, { signal: new AbortController().signal })) if (part.kind === 'text_delta') break;
  expect(await (await upstream.request(0)).ended).toBe('hung_up');
});

test('a request that was cancelled before is never sent', async () => {
  const setup = await setUp(replying({ text: 'x' }));
  await expect(ask(setup, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  expect(setup.upstream.requests).toEqual([]);
});

test.each<[which: string, reply: Reply, timeouts: Partial<Timeouts>, sentence: RegExp]>([
  ['the headers don’t come', { hold: never }, { firstTokenMs: 30 }, /longer than 0.03 s to begin/],
  [
    'only comments come',
    { chunks: Array.from({ length: 500 }, () => ': wait\n\n'), delayMs: 5 },
    { firstTokenMs: 60 },
    /longer than 0.06 s to begin/,
  ],
  [
    'the text stops',
    { text: 'abcdef', pieceCharacters: 1, hold: never, holdAfterChunks: 3 },
    { idleMs: 40 },
    /longer than 0.04 s to go on/,
  ],
  ['the text never ends', { text: 'x'.repeat(500), pieceCharacters: 1, delayMs: 5 }, { totalMs: 80 }, /longer than 0.08 s to answer/],
])('the time runs out when %s', async (_which, reply, timeouts, sentence) => {
  const setup = await setUp(replying(reply), timeouts);
  await expect(ask(setup)).rejects.toMatchObject({ code: 'timeout', retryable: true, message: expect.stringMatching(sentence) });
  for (const request of setup.upstream.requests) expect(await request.ended).toBe('hung_up');
});

test('comments keep an answer alive that has begun', async () => {
  const chunks = [
    { choices: [{ index: 0, delta: { content: 'a' } }] },
    ...Array.from({ length: 12 }, () => ': wait\n\n'),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ];
  expect(await ask(await setUp(replying({ chunks, delayMs: 20 }), { idleMs: 150 }))).toMatchObject({ text: 'a' });
});

test('a server that is not there is unavailable, and its address is not in the message', async () => {
  const { upstream, provider } = await setUp(replying({}));
  await upstream.close();
  const failure = collectAnswer(provider.stream(REQUEST, { signal: new AbortController().signal }));
  await expect(failure).rejects.toMatchObject({ code: 'unavailable', retryable: true, message: expect.stringContaining('ECONNREFUSED') });
  await expect(failure).rejects.not.toThrow('127.0.0.1');
});

test('a long history goes upstream whole and does not block the loop', async () => {
  const setup = await setUp(replying({ text: 'ok' }));
  const messages = Array.from({ length: 200 }, (_, i) => ({
    role: 'user' as const,
    parts: [{ kind: 'text' as const, text: `${i} ${'é"\n'.repeat(10_000)}` }],
  }));
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await collectAnswer(setup.provider.stream({ ...REQUEST, messages }, { signal: new AbortController().signal }));
  clearInterval(timer);
  expect((await setup.upstream.request(0)).body.messages).toHaveLength(200);
  expect(turns).toBeGreaterThan(5); // the loop went round while the history was written
});
