import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionRef, type ClaimedStep, type StepAnswer, type StepFailure } from '@codelab/bus';
import type { HistoryItem } from '@codelab/llm';
import { startScriptedProvider, verifies, type Reply, type ScriptedProvider } from '@codelab/testkit';
import { Breakers } from '../chain/breaker.js';
import { createCatalog } from '../models/create-catalog.js';
import type { ModelEntry } from '../models/models-file.js';
import { NO_MODELS_FILE } from '../models/parse-models-file.js';
import { openUpstreams, type Upstreams } from '../upstreams/open-upstreams.js';
import { TIMEOUTS } from '../upstreams/__fixtures__/open-upstream.js';
import { HistoryCache } from './history-cache.js';
import { serveStep, type StepPorts } from './serve-step.js';

const MODEL = 'claude-sonnet-4-5';
const ENTRY: ModelEntry = {
  upstream: 'anthropic',
  max_output_tokens: 32_000,
  thinking: { budget_tokens: 4_000 },
  price: { input: 3, output: 15 },
};
const USER: HistoryItem = { role: 'user', turn_id: 't', message_id: 'm', content: 'read a.txt, please', at_ms: 1 };

let provider: ScriptedProvider;
let upstreams: Upstreams;
let replies: Reply[] = [];
beforeAll(async () => {
  provider = await startScriptedProvider({ script: () => replies.shift() ?? {} });
  const settings = { baseUrl: 'ANTHROPIC_BASE_URL', apiKey: 'ANTHROPIC_API_KEY' };
  upstreams = openUpstreams([
    { name: 'anthropic', type: 'anthropic', baseUrl: provider.origin, apiKey: 'k', quirks: {}, timeouts: TIMEOUTS, settings },
  ]);
});
afterAll(async () => {
  await upstreams.close();
  await provider.close();
});

const ports = (entry: ModelEntry = ENTRY): StepPorts => ({
  catalog: createCatalog({ upstreams, file: { ...NO_MODELS_FILE, models: { [MODEL]: entry } }, random: () => 0 }),
  chain: { breakers: new Breakers({ now: () => 0 }), now: () => 0, wait: async () => undefined, random: () => 0 },
  histories: new HistoryCache(0),
  accounting: { admit: async () => ({ settle: () => undefined }) },
});

/** Serves a step over this history and gives what was asked and what was stored. */
async function serve(history: readonly HistoryItem[], stepPorts = ports()) {
  const answers: StepAnswer[] = [];
  const failures: StepFailure[] = [];
  const shown: string[] = [];
  const step: ClaimedStep = {
    ref: sessionRef({ tenant: 't', sub: 'u' }, 's'),
    stepId: 'step',
    attempt: 1,
    request: {
      ...{ turnId: 't', messageId: 'm', model: MODEL, agent: 'coder', vocabulary: 'codelab', historyVersion: history.length },
      system: `You work on code. ${'Be careful. '.repeat(600)}`,
      tools: [{ name: 'read_file', description: 'Reads a file.', parameters: { type: 'object' } }],
    },
    signal: new AbortController().signal,
    readHistory: async (from) => history.slice(from).map((item) => JSON.stringify(item)),
    readBase: async () => undefined,
    publish: ({ text }) => void shown.push(text),
    tellWait: () => undefined,
    tellThought: () => undefined,
    answer: async (answer) => answers.push(answer) > 0,
    fail: async (failure) => failures.push(failure) > 0,
  };
  const outcome = await serveStep(step, stepPorts);
  const request = provider.requests.at(-1)!.body;
  return { outcome, request, answer: answers[0], failures, shown: shown.join('') };
}

const called = (answer: StepAnswer, callId: string): HistoryItem => ({
  ...{ role: 'assistant', turn_id: 't', message_id: 'm2', content: answer.text, at_ms: 2 },
  tool_calls: answer.toolCalls.map(({ name, arguments: text, providerId }) => ({
    ...{ call_id: callId, tool_name: name, arguments: text, provider_id: providerId },
  })),
  ...(answer.thinking && { thinking: answer.thinking }),
});
const result = (callId: string): HistoryItem => ({
  ...{ role: 'tool', turn_id: 't', call_id: callId, tool_name: 'read_file', content: '{"content":"x"}', is_error: false, at_ms: 3 },
});

test(
  verifies('L3:agent-thinking', 'an agent thinks on Anthropic, and its signed thoughts go back unchanged while its calls are answered'),
  async () => {
    replies = [
      {
        ...{ thinking: 'I should read it.', thinkingSignature: 'c2lnbmF0dXJl', pieceCharacters: 4, text: 'Reading.' },
        toolCalls: [{ id: 'toolu_1', name: 'read_file', arguments: '{"path":"a.txt"}' }],
        usage: { prompt_tokens: 1_000_000, completion_tokens: 0 },
      },
      { text: 'It says x.' },
    ];
    const first = await serve([USER]);
    expect(first.outcome).toMatchObject({ provider: 'anthropic', outcome: 'answered', usage: { costUsd: 3 } });
    expect(first.request).toMatchObject({ model: MODEL, max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 4_000 } });
    expect(first.answer).toMatchObject({
      text: 'Reading.',
      toolCalls: [{ name: 'read_file', arguments: '{"path":"a.txt"}' }],
      thinking: [{ kind: 'thinking', text: 'I should read it.', signature: 'c2lnbmF0dXJl' }],
    });
    expect(first.shown).toBe('Reading.');

    const second = await serve([USER, called(first.answer!, 'call_a'), result('call_a')]);
    expect(second.request.thinking).toEqual({ type: 'enabled', budget_tokens: 4_000 });
    expect(second.request.messages[1]).toMatchObject({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'I should read it.', signature: 'c2lnbmF0dXJl' },
        { type: 'text', text: 'Reading.' },
        { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { path: 'a.txt' } },
      ],
    });
    expect(second.request.messages[2]).toMatchObject({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] });
    expect(second.answer).toMatchObject({ text: 'It says x.' });
    expect(second.answer).not.toHaveProperty('thinking');
  },
);

test('a tool loop that began without thoughts goes on without, instead of being refused', async () => {
  replies = [{ text: 'ok' }];
  const answer: StepAnswer = {
    ...{ model: 'other', text: '', finish: 'tool_calls', usage: { inputTokens: 0, outputTokens: 0 } },
    toolCalls: [{ providerId: 'x', name: 'read_file', arguments: '{}' }],
  };
  const { request } = await serve([USER, called(answer, 'call_a'), result('call_a')]);
  expect(request).not.toHaveProperty('thinking');
});

test('long histories of agents carry cache marks, and a call without a result has one', async () => {
  replies = [{ text: 'ok' }];
  const answer: StepAnswer = {
    ...{ model: 'm', text: '', finish: 'tool_calls', usage: { inputTokens: 0, outputTokens: 0 } },
    toolCalls: [{ providerId: 'x', name: 'read_file', arguments: '{}' }],
  };
  const { request } = await serve([USER, called(answer, 'call_a'), { ...USER, message_id: 'm3', content: 'and?' }]);
  expect(JSON.stringify(request).split('"cache_control"').length - 1).toBe(4);
  expect(request.messages.map(({ content }) => (content as { type: string }[]).map(({ type }) => type))).toEqual([
    ['text'],
    ['tool_use'],
    ['tool_result', 'text'],
  ]);
});

test('what the provider refuses fails the step in our words; a limit keeps its wait', async () => {
  replies = [{ status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message: 'secret words of the provider' } } }];
  const refused = await serve([USER]);
  expect(refused.failures).toEqual([
    { code: 'invalid_request', message: expect.stringMatching(/^The model provider refused/), retryable: false },
  ]);
  replies = [
    { status: 429, headers: { 'retry-after': '300' }, body: { type: 'error', error: { type: 'rate_limit_error', message: 'm' } } },
  ];
  expect((await serve([USER])).failures).toMatchObject([
    { code: 'rate_limited', message: expect.any(String), retryable: true, retryAfterMs: 300_000 },
  ]);
});
