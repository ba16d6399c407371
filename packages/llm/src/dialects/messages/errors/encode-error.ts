import { errorHeaders, type ApiError, type ApiErrorKind } from '../../../errors/api-error.js';
import type { EncodedError } from '../../dialect.js';

interface Row {
  readonly status: number;
  readonly type: string;
  /** See `errorHeaders`. */
  readonly isFinal?: true;
}

/** The error table of the Messages API (docs/specification/llm-proxy.md#errors). */
const ROWS: Readonly<Record<ApiErrorKind, Row>> = {
  invalid_request: { status: 400, type: 'invalid_request_error' },
  unauthorized: { status: 401, type: 'authentication_error' },
  out_of_quota: { status: 402, type: 'billing_error', isFinal: true },
  forbidden: { status: 403, type: 'permission_error' },
  not_found: { status: 404, type: 'not_found_error' },
  conflict: { status: 409, type: 'invalid_request_error', isFinal: true },
  too_large: { status: 413, type: 'request_too_large' },
  request_timeout: { status: 408, type: 'timeout_error' },
  rate_limited: { status: 429, type: 'rate_limit_error' },
  upstream_failed: { status: 502, type: 'api_error' },
  overloaded: { status: 529, type: 'overloaded_error' },
  upstream_timeout: { status: 504, type: 'timeout_error' },
  unavailable: { status: 503, type: 'api_error' },
  cancelled: { status: 499, type: 'api_error' },
  internal: { status: 500, type: 'api_error' },
};

/** Writes an error as an HTTP answer of the Messages API. */
export function encodeError(error: ApiError, requestId?: string): EncodedError {
  const { status, isFinal } = ROWS[error.kind];
  return { status, headers: errorHeaders(error, isFinal), body: toBody(error, requestId) };
}

/** Writes an error in the middle of a stream: one event, after which the connection closes without `message_stop`. */
export function encodeStreamError(error: ApiError, requestId?: string): string {
  return `event: error\ndata: ${JSON.stringify(toBody(error, requestId))}\n\n`;
}

function toBody({ kind, message, details }: ApiError, requestId: string | undefined): object {
  const body = { type: 'error', error: { type: ROWS[kind].type, message, details } };
  return requestId === undefined ? body : { ...body, request_id: requestId };
}

/** Keeps a quiet stream open, as the provider itself does (F4). */
export const keepalive = 'event: ping\ndata: {"type": "ping"}\n\n';
