import { expect, test } from 'vitest';
import { collectAnswer, LlmError, type ModelRequest } from '@codelab/llm';
import { verifies } from '@codelab/testkit';
import type { Target } from '../models/model-catalog.js';
import { failing, FINISH, scriptedTarget, TEXT } from './__fixtures__/scripted-target.js';
import type { ChainOptions } from './ask-chain.js';
import { askInOrder } from './ask-target.js';
import { Breakers, MAX_CONSECUTIVE_FAILURES } from './breaker.js';
import { MAX_ATTEMPTS } from './retry-policy.js';

const REQUEST: ModelRequest = { model: 'm', messages: [], tools: [] };
const GOOD = [TEXT, FINISH];
const overloaded = new LlmError('overloaded', 'busy');
const rateLimited = (retryAfterMs: number) => new LlmError('rate_limited', 'slow down', { retryAfterMs });

interface Chain extends ChainOptions {
  readonly waits: number[];
  readonly fallbacks: string[];
}

function chain(more: Partial<ChainOptions> = {}): Chain {
  const waits: number[] = [];
  const fallbacks: string[] = [];
  return {
    waits,
    fallbacks,
    breakers: new Breakers({ now: () => 0 }),
    signal: new AbortController().signal,
    wait: async (ms) => void waits.push(ms),
    now: () => 0,
    random: () => 0.5,
    onFallback: ({ code }, from, to) => void fallbacks.push(`${from.upstream.name} ${code} ${to.upstream.name}`),
    ...more,
  };
}

const ask = async (targets: readonly Target[], options: ChainOptions = chain()) => {
  const asked = await askInOrder(targets, REQUEST, options);
  return { ...asked, answer: await collectAnswer(asked.value) };
};

test('a failure before the first part is tried again, after a growing wait', async () => {
  const options = chain();
  const { answer, attempts } = await ask([scriptedTarget('a', [failing(overloaded), failing(rateLimited(100)), GOOD])], options);
  expect([answer.text, attempts, options.waits]).toEqual(['hi', 3, [250, 105]]);
});

test('nobody waits beyond the time in which the failure can still be told with its wait', async () => {
  const options = chain({ patienceMs: 1_000 });
  const target = scriptedTarget('a', [failing(rateLimited(7_000)), GOOD]);
  await expect(ask([target], options)).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 7_000 });
  expect([target.asked.length, options.waits]).toEqual([1, []]);
  let now = 0;
  const late = chain({ patienceMs: 1_000, now: () => (now += 2_000) });
  expect((await ask([scriptedTarget('b', [failing(rateLimited(7_000)), GOOD])], late)).attempts).toBe(2);
});

test('after four failures the last one is the answer', async () => {
  const target = scriptedTarget('a', [
    failing(overloaded),
    failing(overloaded),
    failing(overloaded),
    failing(new LlmError('timeout', 'slow')),
  ]);
  await expect(ask([target])).rejects.toMatchObject({ code: 'timeout' });
  expect(target.asked).toHaveLength(4);
});

test(
  verifies('R3:no-retry-after-first-byte', 'a failure after the first part is not tried again, and no other model is asked'),
  async () => {
    const target = scriptedTarget('a', [[TEXT, new LlmError('stream_interrupted', 'cut')], GOOD]);
    const other = scriptedTarget('b', [GOOD]);
    await expect(ask([target, other])).rejects.toMatchObject({ code: 'stream_interrupted' });
    expect([target.asked.length, other.asked.length]).toEqual([1, 0]);
  },
);

test.each<[code: LlmError['code'], first: number, second: number]>([
  ['invalid_request', 1, 0],
  ['cancelled', 1, 0],
  ['not_found', 1, 1],
  ['context_length', 1, 1],
  ['unauthorized', 1, 1],
  ['quota_exceeded', 1, 1],
  ['overloaded', 4, 1],
  ['timeout', 4, 1],
])(verifies('L2:fallback', 'after %s a model is asked %i times and its fallback %i'), async (code, first, second) => {
  const target = scriptedTarget('a', [failing(new LlmError(code, 'no'))]);
  const other = scriptedTarget('b', [GOOD]);
  const options = chain();
  const outcome = await ask([target, other], options).catch((error: unknown) => error);
  expect([target.asked.length, other.asked.length]).toEqual([first, second]);
  expect(outcome).toMatchObject(second === 0 ? { code } : { target: other, attempts: first + 1 });
  expect(options.fallbacks).toEqual(second === 0 ? [] : [`a ${code} b`]);
});

test('each target is asked under its own name of the model', async () => {
  const targets = [scriptedTarget('a', [failing(new LlmError('not_found', 'no'))]), scriptedTarget('b', [GOOD], { max_output_tokens: 7 })];
  await ask(targets);
  expect(targets.flatMap(({ asked }) => asked.map(({ request, ask: { entry } }) => [request.model, entry]))).toEqual([
    ['a-model', {}],
    ['b-model', { max_output_tokens: 7 }],
  ]);
});

test('with a fallback left nobody waits long for the same model; without one the wait is kept', async () => {
  const options = chain();
  await ask([scriptedTarget('a', [failing(rateLimited(2_001)), GOOD]), scriptedTarget('b', [GOOD])], options);
  expect(options.waits).toEqual([]);
  await ask([scriptedTarget('a', [failing(rateLimited(2_001)), GOOD])], options);
  expect(options.waits).toEqual([2_101]);
});

test.each([
  [['not_found', 'overloaded', 'unauthorized'], 'overloaded'],
  [['context_length', 'not_found'], 'context_length'],
] as const)('of the failures %j the caller is told %s', async (codes, told) => {
  const targets = codes.map((code, i) => scriptedTarget(`u${i}`, [failing(new LlmError(code, 'no'))]));
  await expect(ask(targets)).rejects.toMatchObject({ code: told });
});

test('what is no failure of a model is thrown at once', async () => {
  const other = scriptedTarget('b', [GOOD]);
  await expect(ask([scriptedTarget('a', [[new TypeError('a bug')]]), other])).rejects.toThrow('a bug');
  expect(other.asked).toHaveLength(0);
});

test('who has waited for two minutes is not made to wait again', async () => {
  const target = scriptedTarget('a', [failing(new LlmError('timeout', 'slow')), GOOD]);
  let nowMs = 0;
  await expect(ask([target], chain({ now: () => (nowMs += 120_000) }))).rejects.toMatchObject({ code: 'timeout' });
  expect(target.asked).toHaveLength(1);
});

test('a cancel while it waits ends it, fallbacks or not', async () => {
  const target = scriptedTarget('a', [failing(overloaded), GOOD]);
  const other = scriptedTarget('b', [GOOD]);
  const options = chain({ wait: () => Promise.reject(new Error('aborted')) });
  await expect(ask([target, other], options)).rejects.toMatchObject({ code: 'cancelled' });
  expect([target.asked.length, other.asked.length]).toEqual([1, 0]);
});

test(
  verifies('L2:breaker', 'an upstream that failed again and again is left alone: its models are refused at once, and fallbacks asked'),
  async () => {
    const options = chain();
    const target = scriptedTarget('a', [failing(overloaded)]);
    for (let i = 0; i < MAX_CONSECUTIVE_FAILURES; i++) await expect(ask([target], options)).rejects.toMatchObject({ message: 'busy' });
    await expect(ask([target], options)).rejects.toMatchObject({
      code: 'overloaded',
      retryAfterMs: 5_000,
      message: expect.stringContaining('"a"'),
    });
    const { target: answered, attempts } = await ask([target, scriptedTarget('b', [GOOD])], options);
    expect([answered.upstream.name, attempts, target.asked.length]).toEqual(['b', 1, MAX_CONSECUTIVE_FAILURES * MAX_ATTEMPTS]);
  },
);

test('a stream that nobody reads is left by return, also before its first part was read', async () => {
  let left = false;
  const target = scriptedTarget('a', [
    (function* () {
      try {
        yield* GOOD;
      } finally {
        left = true;
      }
    })(),
  ]);
  const { value } = await askInOrder([target], REQUEST, chain());
  await value.return?.();
  expect(left).toBe(true);
});
