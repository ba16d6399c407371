import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { collectAnswer, Growth, type ModelRequest, type StreamPart } from '@codelab/llm';
import { startScriptedProvider, verifies, type Reply, type ScriptedProvider } from '@codelab/testkit';
import { openUpstream } from '../__fixtures__/open-upstream.js';
import type { AskUpstream, Upstream } from '../upstream.js';

const KEY = 'sk-ant-very-secret-key';
const never = new Promise<never>(() => undefined);
const REQUEST: ModelRequest = {
  model: 'claude-sonnet-4-5',
  messages: [
    { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
  ],
  tools: [{ name: 'git.diff', description: 'd', parameters: { type: 'object' } }],
};

let provider: ScriptedProvider;
let upstream: Upstream;
let reply: Reply = {};
beforeAll(async () => {
  provider = await startScriptedProvider({ script: () => reply });
});
afterEach(() => upstream.close());
afterAll(() => provider.close());

function parts(more: Partial<AskUpstream> = {}, request: Partial<ModelRequest> = {}) {
  upstream = openUpstream({ type: 'anthropic', baseUrl: provider.origin, apiKey: KEY });
  return upstream.stream({ ...REQUEST, ...request }, { signal: new AbortController().signal, ...more });
}

const nextRequest = () => provider.request(provider.requests.length);

test('asks with our key, system prompt and legal tool names, and reads thoughts, text, calls and usage', async () => {
  reply = {
    thinking: 'hm',
    thinkingSignature: 'sig',
    text: 'Looking.',
    toolCalls: [{ id: 'toolu_1', name: 'git_diff', arguments: '{"path":12345678901234567890}' }],
    usage: { prompt_tokens: 7, completion_tokens: 3 },
  };
  const asked = nextRequest();
  const seen: StreamPart[] = [];
  for await (const part of parts({ traceparent: '00-a-b-01' })) seen.push(part);
  expect(await collectAnswer(seen)).toMatchObject({
    text: 'Looking.',
    toolCalls: [{ providerId: 'toolu_1', name: 'git.diff', arguments: '{"path":12345678901234567890}' }],
    finish: 'tool_calls',
    usage: { inputTokens: 7, outputTokens: 3 },
  });
  expect(seen.filter(({ kind }) => kind === 'thinking_delta')).not.toEqual([]);
  const { headers, body, path } = await asked;
  expect(path).toBe('/v1/messages');
  expect(headers).toMatchObject({ 'x-api-key': KEY, 'anthropic-version': '2023-06-01', traceparent: '00-a-b-01' });
  expect(headers).not.toHaveProperty('authorization');
  expect(body).toMatchObject({
    model: 'claude-sonnet-4-5',
    stream: true,
    max_tokens: 8_192,
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [{ role: 'user' }],
    tools: [{ name: 'git_diff' }],
  });
});

test('what is asked for in one piece comes in one piece, with its thoughts, calls and usage', async () => {
  const call = { id: 'toolu_1', name: 'git_diff', arguments: '{"n":12345678901234567890}' };
  reply = { thinking: 'hm', thinkingSignature: 'sig', text: 'all', toolCalls: [call], usage: { prompt_tokens: 7, completion_tokens: 3 } };
  const asked = nextRequest();
  expect(await collectAnswer(parts({ inOnePiece: true }))).toMatchObject({
    ...{ text: 'all', finish: 'tool_calls', usage: { inputTokens: 7, outputTokens: 3 } },
    toolCalls: [{ providerId: 'toolu_1', name: 'git.diff', arguments: call.arguments }],
  });
  const { headers, body } = await asked;
  expect([headers.accept, body.stream]).toEqual(['application/json', false]);
});

test.each<[what: string, ask: Partial<AskUpstream>, request: Partial<ModelRequest>, maxTokens: number]>([
  ['the models file', { entry: { max_output_tokens: 64_000 } }, {}, 64_000],
  ['the request', { entry: { max_output_tokens: 64_000 } }, { maxTokens: 5 }, 5],
])('the largest answer is that of %s', async (_what, ask, request, maxTokens) => {
  reply = { text: 'ok' };
  const asked = nextRequest();
  await collectAnswer(parts(ask, request));
  expect((await asked).body.max_tokens).toBe(maxTokens);
});

test(verifies('L3:agent-cache', 'the requests of agents carry cache marks, those of callers none but their own'), async () => {
  reply = { text: 'ok' };
  const marks = async (goesOn: boolean) => {
    const asked = nextRequest();
    await collectAnswer(
      parts(
        { growth: goesOn ? new Growth() : undefined },
        { messages: [{ role: 'user', parts: [{ kind: 'text', text: 'long '.repeat(2_000) }] }] },
      ),
    );
    return (await asked).text.split('"cache_control"').length - 1;
  };
  expect([(await marks(true)) > 0, await marks(false)]).toEqual([true, 0]);
});

test('JSON is read although a stream was asked for', async () => {
  reply = {
    body: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', stop_sequence: null },
      content: [{ type: 'text', text: 'all at once' }],
      usage: { input_tokens: 1, output_tokens: 2 },
    },
  };
  expect(await collectAnswer(parts())).toMatchObject({ text: 'all at once', finish: 'stop' });
});

test(verifies('R3:no-invented-end', 'an answer of Anthropic that is cut off is an error, after what came was given out'), async () => {
  reply = { text: 'abcdef', pieceCharacters: 2, cutAfterChunks: 4 };
  const seen: StreamPart[] = [];
  const read = async () => {
    for await (const part of parts()) seen.push(part);
  };
  await expect(read()).rejects.toMatchObject({ code: 'stream_interrupted' });
  expect(seen[0]).toEqual({ kind: 'text_delta', text: 'ab' });
});

test(verifies('L2:F6', 'a cancel in the middle of an answer of Anthropic closes the connection'), async () => {
  reply = { text: 'abcdef', pieceCharacters: 2, hold: never, holdAfterChunks: 4 };
  const asked = nextRequest();
  const abort = new AbortController();
  const read = async () => {
    for await (const _part of parts({ signal: abort.signal })) abort.abort();
  };
  await expect(read()).rejects.toMatchObject({ code: 'cancelled' });
  expect(await (await asked).ended).toBe('hung_up');
});
