import type { ServerResponse } from 'node:http';
import { ERRORS, type Refusal } from '@codelab/protocol';
import { HTTP_STATUS } from '../../core/http-status.js';

/** Answers a request with a refusal: `{"error":{"code","message","retryable"}}` and the status of its code, unless another is named. */
export function sendRefusal(
  response: ServerResponse,
  { code, message }: Refusal,
  { status = HTTP_STATUS[code], retryAfterS = 1 }: { readonly status?: number; readonly retryAfterS?: number } = {},
): void {
  const { retryable } = ERRORS[code];
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('cache-control', 'no-store');
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  if (retryable) response.setHeader('retry-after', String(retryAfterS));
  response.end(JSON.stringify({ error: { code, message, retryable } }));
}
