import { expect, test } from 'vitest';
import { LlmError } from '@codelab/llm';
import { decideRetry } from './retry-policy.js';

const failed = (retryAfterMs?: number) => new LlmError('rate_limited', 'x', retryAfterMs === undefined ? {} : { retryAfterMs });

test.each([
  ['the first failure waits up to half a second', failed(), 1, 1, 500],
  ['jitter may take the whole wait away', failed(), 1, 0, 0],
  ['each later one waits up to twice as long', failed(), 3, 1, 2000],
  ['the fourth failure is the last', failed(), 4, 1, undefined],
  ['what asking again can’t help is not repeated', new LlmError('unauthorized', 'x'), 1, 1, undefined],
  ['a wait that the provider names is kept', failed(3000), 1, 0, 3000],
  ['a named wait is never shortened by jitter', failed(3000), 1, 1, 3300],
  ['no wait at all is one too', failed(0), 1, 1, 0],
  ['a named wait that is too long goes back', failed(60_001), 1, 0, undefined],
])('%s', (_sentence, error, attempt, random, expected) => {
  expect(decideRetry(error, { attempt, elapsedMs: 119_999 }, random)).toBe(expected);
});
