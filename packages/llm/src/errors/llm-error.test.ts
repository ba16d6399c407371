import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { LLM_ERRORS, LlmError } from './llm-error.js';

test('the codes are frozen: others store and count them', () => {
  expect(Object.entries(LLM_ERRORS).map(([code, { retryable }]) => [code, retryable])).toEqual([
    ['rate_limited', true],
    ['quota_exceeded', false],
    ['overloaded', true],
    ['unauthorized', false],
    ['invalid_request', false],
    ['not_found', false],
    ['context_length', false],
    ['too_large', false],
    ['timeout', true],
    ['unavailable', true],
    ['stream_interrupted', true],
    ['cancelled', false],
  ]);
});

test('an error is as retryable as its code, unless told otherwise', () => {
  expect(new LlmError('timeout', 'x').retryable).toBe(true);
  expect(new LlmError('timeout', 'x', { retryable: false }).retryable).toBe(false);
  expect(new LlmError('rate_limited', 'x', { retryAfterMs: 5 }).retryAfterMs).toBe(5);
});

test(verifies('L1:wording', "a provider's words are there for the caller, and not for a logger that writes errors down"), () => {
  const error = new LlmError('invalid_request', 'x', { wording: 'the prompt "secret" is bad', details: { error_code: 'e' } });
  expect(error).toMatchObject({ wording: 'the prompt "secret" is bad', details: { error_code: 'e' } });
  expect(JSON.stringify(error)).not.toContain('secret');
  expect(Object.keys(error)).not.toContain('wording');
});
