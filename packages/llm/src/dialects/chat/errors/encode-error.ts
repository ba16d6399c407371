import { errorHeaders, type ApiError, type ApiErrorKind } from '../../../errors/api-error.js';
import type { EncodedError } from '../../dialect.js';

interface Row {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  /** See `errorHeaders`. */
  readonly isFinal?: true;
}

/** The error table of Chat Completions (docs/specification/llm-proxy.md#errors). */
const ROWS: Readonly<Record<ApiErrorKind, Row>> = {
  invalid_request: { status: 400, type: 'invalid_request_error', code: null },
  unauthorized: { status: 401, type: 'invalid_request_error', code: 'invalid_api_key' },
  out_of_quota: { status: 429, type: 'insufficient_quota', code: 'insufficient_quota', isFinal: true },
  forbidden: { status: 403, type: 'permission_error', code: null },
  not_found: { status: 404, type: 'invalid_request_error', code: 'model_not_found' },
  conflict: { status: 409, type: 'invalid_request_error', code: 'conflict', isFinal: true },
  too_large: { status: 413, type: 'invalid_request_error', code: null },
  request_timeout: { status: 408, type: 'invalid_request_error', code: 'timeout' },
  rate_limited: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  upstream_failed: { status: 502, type: 'server_error', code: null },
  overloaded: { status: 503, type: 'server_error', code: 'overloaded' },
  upstream_timeout: { status: 504, type: 'server_error', code: 'timeout' },
  unavailable: { status: 503, type: 'server_error', code: 'unavailable' },
  cancelled: { status: 499, type: 'invalid_request_error', code: 'cancelled' },
  internal: { status: 500, type: 'server_error', code: null },
};

/** Writes an error as an HTTP answer of Chat Completions. */
export function encodeError(error: ApiError): EncodedError {
  const { status, isFinal } = ROWS[error.kind];
  return { status, headers: errorHeaders(error, isFinal), body: toBody(error) };
}

/** Writes an error in the middle of a stream: one chunk, after which the connection closes without a finish reason or an end mark. */
export function encodeStreamError(error: ApiError): string {
  return `data: ${JSON.stringify(toBody(error))}\n\n`;
}

function toBody({ kind, message, param, code }: ApiError): object {
  const row = ROWS[kind];
  return { error: { message, type: row.type, param: param ?? null, code: code ?? row.code } };
}

/** Keeps a quiet stream open. A comment that begins otherwise, such as `: ping`, makes Continue drop what follows (F4). */
export const keepalive = ': keep-alive\n\n';
