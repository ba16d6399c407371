import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { decodeError } from './decode-error.js';

const error = (fields: object) => JSON.stringify({ error: fields });

test.each([
  [400, error({ type: 'invalid_request_error' }), 'invalid_request', false],
  [400, error({ code: 'context_length_exceeded' }), 'context_length', false],
  [400, error({ message: "This model's maximum context length is 8192 tokens" }), 'context_length', false],
  [401, error({ code: 'invalid_api_key' }), 'unauthorized', false],
  [400, error({ type: 'billing_error' }), 'quota_exceeded', false],
  [402, '', 'quota_exceeded', false],
  [403, error({ type: 'permission_error' }), 'unauthorized', false],
  [404, error({ code: 'model_not_found' }), 'not_found', false],
  [404, '{"detail":"Not Found"}', 'not_found', false],
  [408, '', 'timeout', true],
  [413, '', 'too_large', false],
  [413, error({ code: 'rate_limit_exceeded', message: 'tokens per minute' }), 'too_large', false],
  [500, error({ code: 'constructor' }), 'unavailable', true],
  [422, '{"detail":[{"loc":["body"]}]}', 'invalid_request', false],
  [429, error({ code: 'rate_limit_exceeded' }), 'rate_limited', true],
  [429, error({ code: 'insufficient_quota' }), 'quota_exceeded', false],
  [429, error({ type: 'insufficient_quota' }), 'quota_exceeded', false],
  [500, error({ type: 'invalid_request_error' }), 'unavailable', true],
  [502, '<html>Bad Gateway</html>', 'unavailable', true],
  [503, error({ message: 'x' }), 'overloaded', true],
  [504, '', 'timeout', true],
  [529, error({ type: 'overloaded_error' }), 'overloaded', true],
  [302, '', 'unavailable', false],
])('status %i with %s is %s', (status, body, code, retryable) => {
  expect(decodeError({ status, body })).toMatchObject({ code, retryable });
});

test.each([
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': '0.25' }, 250],
  [{ 'retry-after-ms': '150', 'retry-after': '9' }, 150],
  [{ 'retry-after': '-1' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
  [{}, undefined],
])('the wait asked for by %j is %s ms', (headers, retryAfterMs) => {
  expect(decodeError({ status: 429, headers, body: '' }).retryAfterMs).toBe(retryAfterMs);
});

test('a date to come is waited for', () => {
  const { retryAfterMs } = decodeError({ status: 503, headers: { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }, body: '' });
  expect(retryAfterMs).toBeGreaterThan(50_000);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
});

test(verifies('L1:provider-error', 'nothing that a provider says is repeated, except which of our fields it objects to'), () => {
  const secret = 'sk-live-123';
  for (const status of [400, 401, 404, 429, 500]) {
    const body = error({ message: `key ${secret}, prompt: ${secret}`, code: secret, type: secret, param: secret });
    const failure = decodeError({ status, body, headers: { 'x-request-id': secret } });
    expect(`${failure.message}${failure.stack}${JSON.stringify(failure)}`).not.toContain(secret);
  }
  expect(decodeError({ status: 400, body: error({ param: 'temperature' }) }).message).toContain('HTTP 400, field `temperature`');
  expect(decodeError({ status: 400, body: error({ param: `messages[0].${secret}` }) }).message).toMatch(/field `messages`\)\.$/);
});

test.each([
  [400, 'invalid_request', 'messages.1: bad tool_call_id'],
  [413, 'too_large', 'too big'],
  [404, 'not_found', 'no model x'],
  [400, 'context_length', "This model's maximum context length is 8192 tokens"],
])(verifies('L1:wording', 'the caller of a request that got %i reads why'), (status, code, message) => {
  expect(decodeError({ status, body: error({ message }) })).toMatchObject({ code, wording: message });
});

test.each([401, 402, 403, 429, 500, 503])(verifies('L1:wording', 'what a provider says with %i is for nobody'), (status) => {
  expect(decodeError({ status, body: error({ message: 'account 7 is over its limit' }) })).not.toHaveProperty('wording');
  expect(decodeError({ body: { error: { message: 'in the middle', type: 'invalid_request_error' } } })).not.toHaveProperty('wording');
});
