import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { ApiError, toApiError, type ApiErrorKind } from '../../../errors/api-error.js';
import { encodeError as encodeForChat } from '../../chat/errors/encode-error.js';
import { decodeError } from './decode-error.js';
import { encodeError, encodeStreamError, keepalive } from './encode-error.js';

const body = (type: string, message = 'm', more: object = {}) => ({
  type: 'error',
  error: { type, message, ...more },
  request_id: 'req_1',
});
const refuse = (status: number, said: unknown, headers: Record<string, string> = {}) =>
  decodeError({ status, headers, body: JSON.stringify(said) });

test.each([
  [400, 'invalid_request_error', 'invalid_request', false],
  [401, 'authentication_error', 'unauthorized', false],
  [402, 'billing_error', 'quota_exceeded', false],
  [403, 'permission_error', 'unauthorized', false],
  [404, 'not_found_error', 'not_found', false],
  [408, '', 'timeout', true],
  [413, 'request_too_large', 'too_large', false],
  [429, 'rate_limit_error', 'rate_limited', true],
  [429, 'insufficient_quota', 'quota_exceeded', false],
  [500, 'api_error', 'unavailable', true],
  [504, 'timeout_error', 'timeout', true],
  [529, 'overloaded_error', 'overloaded', true],
  [500, 'overloaded_error', 'overloaded', true],
  [418, 'of_a_later_version', 'invalid_request', false],
  [302, '', 'unavailable', false],
])(verifies('L1:messages-errors', 'a refusal %i %s is %s'), (status, type, code, retryable) => {
  expect(refuse(status, body(type))).toMatchObject({ name: 'LlmError', code, retryable });
});

test('two refusals of a request are told apart by their words: too long, and no credit', () => {
  const refusal = (message: string) => refuse(400, body('invalid_request_error', message)).code;
  expect(refusal('prompt is too long: 200257 tokens > 200000 maximum')).toBe('context_length');
  expect(refusal('Your credit balance is too low to access the Anthropic API.')).toBe('quota_exceeded');
});

test(verifies('L1:ER2', 'HTML, an empty body and other JSON are judged by their status'), () => {
  for (const said of ['<html>secret</html>', '', '[]', 'null']) {
    const error = decodeError({ status: 502, body: said });
    expect([error.code, error.wording]).toEqual(['unavailable', undefined]);
    expect(error.message).not.toContain('secret');
  }
});

test('how long to wait is read from the headers', () => {
  expect(refuse(429, body('rate_limit_error'), { 'retry-after': '3' }).retryAfterMs).toBe(3000);
});

test(
  verifies('L1:wording', 'of a refusal the caller reads the words, without keys and hosts; of our account and of failures nothing'),
  () => {
    const said = 'messages.1: tool_use ids were found without tool_result blocks, see https://api.corp/x?key=1 or sk-ant-abc';
    const error = refuse(400, body('invalid_request_error', said));
    expect(error.wording).toBe('messages.1: tool_use ids were found without tool_result blocks, see [url] or [key]');
    expect(error.message).not.toContain('tool_use');
    for (const [status, type] of [
      [401, 'authentication_error'],
      [402, 'billing_error'],
      [500, 'api_error'],
      [529, 'overloaded_error'],
    ] as const) {
      expect(refuse(status, body(type, said))).not.toHaveProperty('wording');
    }
    expect(decodeError({ body: body('invalid_request_error', said) })).not.toHaveProperty('wording');
  },
);

test('a word for programs is carried to the caller, and nothing else of the details', () => {
  const details = { error_code: 'thread_not_found', note: 'sk-ant secret words', deep: {} };
  const error = toApiError(refuse(404, body('not_found_error', 'gone', { details })));
  expect(encodeError(error)).toMatchObject({
    status: 404,
    body: { error: { type: 'not_found_error', details: { error_code: 'thread_not_found' } } },
  });
  expect(JSON.stringify(encodeError(error))).not.toContain('sk-ant');
});

test.each<[ApiErrorKind, number, string]>([
  ['invalid_request', 400, 'invalid_request_error'],
  ['unauthorized', 401, 'authentication_error'],
  ['out_of_quota', 402, 'billing_error'],
  ['forbidden', 403, 'permission_error'],
  ['not_found', 404, 'not_found_error'],
  ['conflict', 409, 'invalid_request_error'],
  ['too_large', 413, 'request_too_large'],
  ['request_timeout', 408, 'timeout_error'],
  ['rate_limited', 429, 'rate_limit_error'],
  ['upstream_failed', 502, 'api_error'],
  ['overloaded', 529, 'overloaded_error'],
  ['upstream_timeout', 504, 'timeout_error'],
  ['unavailable', 503, 'api_error'],
  ['cancelled', 499, 'api_error'],
  ['internal', 500, 'api_error'],
])(verifies('L1:messages-errors', '%s is %i %s'), (kind, status, type) => {
  const error = encodeError(new ApiError(kind, 'why'), 'req_9');
  expect([error.status, error.body]).toEqual([status, { type: 'error', error: { type, message: 'why' }, request_id: 'req_9' }]);
});

test('headers say how long to wait, and what not to repeat', () => {
  expect(encodeError(new ApiError('rate_limited', 'x', { retryAfterMs: 1200 })).headers).toEqual({ 'retry-after': '2' });
  expect(encodeError(new ApiError('out_of_quota', 'x')).headers).toEqual({ 'x-should-retry': 'false' });
  expect(encodeError(new ApiError('internal', 'x')).body).not.toHaveProperty('request_id');
});

test(verifies('L1:ER1', 'no credit and overload, from the provider to callers of both dialects'), () => {
  const [broke, busy] = [refuse(402, body('billing_error')), refuse(529, body('overloaded_error'))].map(toApiError);
  expect([encodeError(broke!).status, encodeError(busy!).status]).toEqual([402, 529]);
  expect(encodeForChat(broke!)).toMatchObject({
    status: 429,
    headers: { 'x-should-retry': 'false' },
    body: { error: { type: 'insufficient_quota' } },
  });
  expect(encodeForChat(busy!)).toMatchObject({ status: 503, body: { error: { code: 'overloaded' } } });
});

test(verifies('L3:ST20', 'an error in the middle of a stream is one event'), () => {
  expect(encodeStreamError(new ApiError('overloaded', 'busy'), 'req_9')).toBe(
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"},"request_id":"req_9"}\n\n',
  );
  expect(keepalive).toBe('event: ping\ndata: {"type": "ping"}\n\n');
});
