import { expect, test } from 'vitest';
import {
  sessionRef,
  type ClaimedStep,
  type StepAnswer,
  type StepDelta,
  type StepFailure,
  type StepRequest,
  type StepWait,
} from '@codelab/bus';
import { ApiError, LlmError, type ModelRequest, type StreamPart } from '@codelab/llm';
import { verifies } from '@codelab/testkit';
import { scriptedTarget, type Play } from '../chain/__fixtures__/scripted-target.js';
import { Breakers } from '../chain/breaker.js';
import { createCatalog } from '../models/create-catalog.js';
import type { PriceEntry } from '../models/models-file.js';
import { NO_MODELS_FILE } from '../models/parse-models-file.js';
import { HistoryCache } from './history-cache.js';
import { serveStep, type StepPorts } from './serve-step.js';
import type { StepBase } from './to-model-request.js';

const FINISH: StreamPart = { kind: 'finish', reason: 'stop', usage: { inputTokens: 1_000_000, outputTokens: 2 } };
const ANSWER: StreamPart[] = [
  { kind: 'thinking_delta', text: 'hm' },
  { kind: 'text_delta', text: 'Hello ' },
  { kind: 'text_delta', text: 'you' },
  { kind: 'tool_call_start', index: 0, id: 'call_0', name: 'git_diff' },
  { kind: 'tool_call_delta', index: 0, arguments: '{"path":"."}' },
  { kind: 'tool_call_end', index: 0 },
  { ...FINISH, reason: 'tool_calls' },
];

interface FakeStep extends ClaimedStep {
  readonly deltas: Omit<StepDelta, 'stepId' | 'attempt'>[];
  readonly waits: StepWait[];
  readonly answers: StepAnswer[];
  readonly failures: StepFailure[];
  readonly abort: () => void;
}

function claimed(more: Partial<StepRequest> = {}, isFirst = true, base?: StepBase): FakeStep {
  const controller = new AbortController();
  const history = [JSON.stringify({ role: 'user', turn_id: 't', message_id: 'm', content: 'hi', at_ms: 1 })];
  const step: FakeStep = {
    ref: sessionRef({ tenant: 't', sub: 'u' }, 's'),
    stepId: 'step',
    attempt: 1,
    request: {
      turnId: 't',
      messageId: 'm',
      model: 'gpt',
      agent: 'coder',
      vocabulary: 'codelab',
      historyVersion: 1,
      system: '',
      tools: [],
      ...more,
    },
    signal: controller.signal,
    deltas: [],
    waits: [],
    answers: [],
    failures: [],
    abort: () => controller.abort(),
    readHistory: async (from) => history.slice(from),
    readBase: async () => base && JSON.stringify(base),
    publish: (delta) => void step.deltas.push(delta),
    tellWait: (wait) => void step.waits.push(wait),
    tellThought: () => undefined,
    answer: async (answer) => step.answers.push(answer) > 0 && isFirst,
    fail: async (failure) => step.failures.push(failure) > 0 && isFirst,
  };
  return step;
}

const PRICE: PriceEntry = { input: 2, output: 0 };

interface Settled {
  readonly model: string;
  readonly costUsd: number | undefined;
  readonly outputTokens: number;
  readonly estimated: boolean | undefined;
}

function ports(play?: (request: ModelRequest) => Play): StepPorts & { readonly settled: (Settled | undefined)[] } {
  let now = 0;
  const settled: (Settled | undefined)[] = [];
  const clock = () => (now += 10);
  const { upstream: openai } = scriptedTarget('openai', play ? [play] : []);
  const upstreams = {
    offline: scriptedTarget('offline', [[FINISH]]).upstream,
    configured: play ? [Object.assign(openai, { type: 'openai' as const })] : [],
  };
  const file = play ? { ...NO_MODELS_FILE, models: { gpt: { upstream: 'openai', price: PRICE } } } : NO_MODELS_FILE;
  return {
    catalog: createCatalog({ upstreams, file, random: () => 0, ...(!play && { defaultModel: 'offline' }) }),
    chain: { breakers: new Breakers({ now: () => 0 }), now: clock, wait: async () => undefined, random: () => 0 },
    histories: new HistoryCache(1e6),
    accounting: {
      admit: async () => ({
        settle: (used) => {
          if (!used) return void settled.push(undefined);
          const { model, estimated, usage } = used;
          settled.push({ model, estimated, outputTokens: usage.outputTokens, costUsd: usage.costUsd });
        },
      }),
    },
    settled,
  };
}

test('text is published with its place, and the answer stored with its cost', async () => {
  const step = claimed();
  const asked: ModelRequest[] = [];
  const outcome = await serveStep(
    step,
    ports((request) => (asked.push(request), ANSWER)),
  );
  expect(asked[0]?.messages).toEqual([{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }]);
  expect(step.deltas).toEqual([
    { offset: 0, text: 'Hello ' },
    { offset: 6, text: 'you' },
    { offset: 9, text: '', tool: { index: 0, name: 'git_diff' } },
  ]);
  expect(step.answers).toEqual([
    {
      context: { model: 'gpt', scale: expect.any(Number), tokens: 1_000_000, limit: 1_250_000, window: 1_250_000 },
      model: 'gpt',
      text: 'Hello you',
      toolCalls: [{ providerId: 'call_0', name: 'git_diff', arguments: '{"path":"."}' }],
      finish: 'tool_calls',
      usage: { inputTokens: 1_000_000, outputTokens: 2, costUsd: 2 },
    },
  ]);
  expect(outcome).toMatchObject({ provider: 'openai', model: 'gpt', outcome: 'answered', attempts: 1 });
});

test('where no client shows calls while they are written, only text is published', async () => {
  const step = claimed({ callsUnseen: true });
  await serveStep(
    step,
    ports(() => ANSWER),
  );
  expect(step.deltas).toEqual([
    { offset: 0, text: 'Hello ' },
    { offset: 6, text: 'you' },
  ]);
});

test('a step that names no model goes to the default one', async () => {
  const step = claimed({ model: '' });
  expect(await serveStep(step, ports())).toMatchObject({ model: 'offline', outcome: 'answered' });
  expect(step.answers).toMatchObject([{ model: 'offline' }]);
});

test('a model that nobody serves fails the step, saying what to set', async () => {
  const step = claimed({ model: 'gpt-5.4' });
  expect(await serveStep(step, ports())).toMatchObject({ provider: 'none', outcome: 'not_found' });
  expect(step.failures).toEqual([{ code: 'not_found', message: expect.stringContaining('OPENAI_API_KEY'), retryable: false }]);
});

test('a failure after some text is stored as one; the text was published', async () => {
  const step = claimed();
  const outcome = await serveStep(
    step,
    ports(() => [{ kind: 'text_delta', text: 'half' }, new LlmError('stream_interrupted', 'cut')]),
  );
  expect(outcome.outcome).toBe('stream_interrupted');
  expect(step.deltas).toEqual([{ offset: 0, text: 'half' }]);
  expect(step.failures).toEqual([{ code: 'stream_interrupted', message: 'cut', retryable: true }]);
  expect(step.answers).toEqual([]);
});

test.each(['cancelled', 'stream_interrupted'] as const)(
  verifies('L2:let-go', 'a step that is let go of stores nothing, whatever the provider says (%s)'),
  async (code) => {
    const step = claimed();
    const play = function* (): Iterable<StreamPart | Error> {
      yield { kind: 'text_delta', text: 'half' };
      step.abort();
      yield new LlmError(code, 'x');
    };
    expect((await serveStep(step, ports(play))).outcome).toBe('let_go');
    expect([step.answers, step.failures]).toEqual([[], []]);
  },
);

test('an answer or a failure that comes too late is late', async () => {
  expect(
    (
      await serveStep(
        claimed({}, false),
        ports(() => [FINISH]),
      )
    ).outcome,
  ).toBe('late');
  expect(
    (
      await serveStep(
        claimed({}, false),
        ports(() => [new LlmError('unauthorized', 'x')]),
      )
    ).outcome,
  ).toBe('late');
});

test('what is no failure of a model is thrown: the queue knows what to do', async () => {
  const step = claimed();
  await expect(
    serveStep(
      step,
      ports(() => [new TypeError('a bug')]),
    ),
  ).rejects.toThrow('a bug');
  expect(step.failures).toEqual([]);
});

const BASE: StepBase = {
  messages: [
    { role: 'system', parts: [{ kind: 'text', text: 'mine' }] },
    { role: 'assistant', parts: [{ kind: 'tool_call', id: 'c', name: 'theirs', arguments: '{"n":12345678901234567890}' }] },
  ],
  maxTokens: 7,
  toolChoice: 'required',
};

test(
  verifies('R5:gate', 'the turn of a program begins with its conversation, in which every call has a result, and keeps its settings'),
  async () => {
    const asked: ModelRequest[] = [];
    const stepPorts = ports((request) => (asked.push(request), [FINISH]));
    await serveStep(claimed({ hasBase: true, system: 'ours' }, true, BASE), stepPorts);
    expect(asked[0]).toMatchObject({ model: 'gpt', maxTokens: 7, toolChoice: 'required' });
    expect(asked[0]?.messages).toMatchObject([
      ...BASE.messages,
      { role: 'tool', parts: [{ kind: 'tool_result', id: 'c', isError: true }] },
      { role: 'user', parts: [{ text: 'hi' }] },
    ]);
  },
);

test('what was used is settled, a failure settles nothing, and the trace goes on', async () => {
  const asked: ModelRequest[] = [];
  const good = ports((request) => (asked.push(request), [FINISH]));
  await serveStep(claimed({ traceparent: '00-a-b-01' }), good);
  expect(good.settled[0]).toMatchObject({ model: 'gpt', costUsd: 2, estimated: undefined });
  const cut = ports(() => [{ kind: 'text_delta', text: 'x'.repeat(400) }, new LlmError('stream_interrupted', 'cut')]);
  await serveStep(claimed(), cut);
  expect(cut.settled[0]).toMatchObject({ model: 'gpt', outputTokens: 100, estimated: true });
  const bad = ports(() => [new LlmError('unauthorized', 'x')]);
  await serveStep(claimed(), bad);
  expect(bad.settled).toEqual([undefined]);
});

function limited(refusals: readonly ApiError[]): StepPorts & { readonly waits: number[]; readonly admitted: unknown[] } {
  const waits: number[] = [];
  const admitted: unknown[] = [];
  const left = [...refusals];
  const stepPorts = ports(() => [FINISH]);
  const admit: StepPorts['accounting']['admit'] = (payer, asked) => {
    admitted.push([payer.sessionId, payer.requestId, asked.model, asked.leadsTo, asked.estimate()]);
    const refusal = left.shift();
    return refusal ? Promise.reject(refusal) : Promise.resolve({ settle: () => undefined });
  };
  const chain = { ...stepPorts.chain, now: () => 0, wait: async (ms: number) => void waits.push(ms) };
  return { ...stepPorts, chain, accounting: { admit }, waits, admitted };
}

const slow = (retryAfterMs: number) => new ApiError('rate_limited', 'slow down', { retryAfterMs });

test(
  verifies(
    'L2:agent-waits',
    'an agent over a rate limit waits; what takes long is waited for by the runtime, what will not pass is a failure',
  ),
  async () => {
    const short = limited([slow(3_000), slow(2_000)]);
    const told = claimed();
    expect(await serveStep(told, short)).toMatchObject({ outcome: 'answered' });
    expect(told.waits).toMatchObject([
      { code: 'rate_limited', message: 'slow down', attempt: 2, delayMs: 3_000 },
      { attempt: 3, delayMs: 2_000 },
    ]);
    expect(short.waits).toEqual([3_000, 2_000]);
    expect(short.admitted[0]).toEqual([
      's',
      'step',
      'gpt',
      'gpt',
      { inputTokens: expect.any(Number), outputTokens: 4_096, costUsd: expect.any(Number) },
    ]);
    const long = claimed();
    expect(await serveStep(long, limited([slow(30_000)]))).toMatchObject({ outcome: 'rate_limited' });
    expect(long.failures).toEqual([{ code: 'rate_limited', message: 'slow down', retryable: true, retryAfterMs: 30_000 }]);
    const spent = claimed();
    await serveStep(spent, limited([new ApiError('out_of_quota', 'The budget is used up.')]));
    expect(spent.failures).toEqual([{ code: 'out_of_quota', message: 'The budget is used up.', retryable: false }]);
  },
);

test(verifies('G2:wait-told', 'a refusal that passes is told in the words of the provider, else in ours, and tried again'), async () => {
  const failures = [
    new LlmError('rate_limited', 'ours', { retryAfterMs: 35_000, waitWording: 'theirs' }),
    new LlmError('overloaded', 'ours'),
  ];
  const step = claimed();
  const stepPorts = ports(() => [failures.shift() ?? FINISH]);
  expect(await serveStep(step, stepPorts)).toMatchObject({ outcome: 'answered', attempts: 3 });
  expect(step.waits).toEqual([
    { code: 'rate_limited', message: 'theirs', attempt: 2, maxAttempts: 4, delayMs: 35_000 },
    { code: 'overloaded', message: 'ours', attempt: 3, maxAttempts: 4, delayMs: 0 },
  ]);
});
