import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { ApiError, type ApiErrorKind } from '../../../errors/api-error.js';
import { encodeError, encodeStreamError, keepalive } from './encode-error.js';

test.each<[ApiErrorKind, number, string, string | null]>([
  ['invalid_request', 400, 'invalid_request_error', null],
  ['unauthorized', 401, 'invalid_request_error', 'invalid_api_key'],
  ['out_of_quota', 429, 'insufficient_quota', 'insufficient_quota'],
  ['forbidden', 403, 'permission_error', null],
  ['not_found', 404, 'invalid_request_error', 'model_not_found'],
  ['conflict', 409, 'invalid_request_error', 'conflict'],
  ['too_large', 413, 'invalid_request_error', null],
  ['request_timeout', 408, 'invalid_request_error', 'timeout'],
  ['rate_limited', 429, 'rate_limit_error', 'rate_limit_exceeded'],
  ['upstream_failed', 502, 'server_error', null],
  ['overloaded', 503, 'server_error', 'overloaded'],
  ['upstream_timeout', 504, 'server_error', 'timeout'],
  ['unavailable', 503, 'server_error', 'unavailable'],
  ['cancelled', 499, 'invalid_request_error', 'cancelled'],
  ['internal', 500, 'server_error', null],
])(verifies('L1:chat-errors', '%s is %i, %s, %s'), (kind, status, type, code) => {
  expect(encodeError(new ApiError(kind, 'why'))).toMatchObject({ status, body: { error: { message: 'why', type, param: null, code } } });
});

test(verifies('L1:ER1', 'out of credit is no rate limit: nobody is to ask again'), () => {
  expect(encodeError(new ApiError('out_of_quota', 'x')).headers).toEqual({ 'x-should-retry': 'false' });
  expect(encodeError(new ApiError('rate_limited', 'x', { retryAfterMs: 1_500 })).headers).toEqual({ 'retry-after': '2' });
});

test('an error names its field and may have a code of its own', () => {
  const error = new ApiError('invalid_request', 'x', { param: 'tools[1].function.name', code: 'context_length_exceeded' });
  expect(encodeError(error).body).toEqual({
    error: { message: 'x', type: 'invalid_request_error', param: 'tools[1].function.name', code: 'context_length_exceeded' },
  });
});

test(verifies('L3:ST20', 'an error in the middle of a stream is one chunk with nothing behind it'), () => {
  expect(encodeStreamError(new ApiError('overloaded', 'x'))).toBe(
    'data: {"error":{"message":"x","type":"server_error","param":null,"code":"overloaded"}}\n\n',
  );
});

test(verifies('L3:F4', 'a quiet stream is kept open by a comment that Continue does not take for an end'), () => {
  expect(keepalive).toBe(': keep-alive\n\n');
});
