import type { LlmError, LlmErrorCode } from './llm-error.js';

/**
 * What can be wrong with a request to our HTTP API, in no dialect's words. `encodeError` of a dialect gives it the status, type and code of
 * the error table (docs/specification/llm-proxy.md#errors).
 */
export const API_ERRORS = {
  invalid_request: 'The request is not one that can be served as it is; `param` names the field.',
  unauthorized: 'No token, or one that is not known.',
  out_of_quota: 'The budget of the key, or the account at the provider, is used up.',
  forbidden: 'The token may not do this: a scope, a model, a tool, or a foreign origin.',
  not_found: 'No such model, session or route.',
  conflict: 'The request names one of several, and not which; the message lists them.',
  too_large: 'The body is over the limit.',
  request_timeout: 'The body did not come in time.',
  rate_limited: "Too many requests or tokens, by our limits or the provider's.",
  upstream_failed: 'The provider failed, answered nonsense, or refused our key.',
  overloaded: 'The provider, or this proxy, has no capacity right now.',
  upstream_timeout: 'The provider took too long.',
  unavailable: 'Something that this request needs is away: Redis, or every upstream of the model.',
  cancelled: 'The caller left.',
  internal: 'A fault of ours.',
} as const satisfies Record<string, string>;

export type ApiErrorKind = keyof typeof API_ERRORS;

export interface ApiErrorDetails {
  /** The field that is wrong, as the caller's dialect names it: `messages[2].tool_call_id`. */
  readonly param?: string;
  /** Overrides the dialect's code, such as `model_not_found`. */
  readonly code?: string;
  /** Goes into `error.details` of an Anthropic answer, such as `{error_code: 'thread_unsupported_request'}`. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** How long to wait, in milliseconds: becomes `retry-after`. */
  readonly retryAfterMs?: number;
}

/** The one error of the HTTP API. Its message is ours and fit for the caller: no key, no host, no stack (L1). */
export class ApiError extends Error implements ApiErrorDetails {
  override readonly name = 'ApiError';
  readonly param?: string;
  readonly code?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfterMs?: number;

  constructor(
    readonly kind: ApiErrorKind,
    message: string,
    details: ApiErrorDetails = {},
  ) {
    super(message);
    Object.assign(this, details);
  }
}

/**
 * The headers of an error: when to come again, in whole seconds. The SDKs repeat 408, 409, 429 and 5xx by themselves; `isFinal` tells them
 * that it would only fail again.
 */
export function errorHeaders({ retryAfterMs }: ApiError, isFinal = false): Record<string, string> {
  const headers: Record<string, string> = {};
  if (retryAfterMs !== undefined) headers['retry-after'] = String(Math.ceil(retryAfterMs / 1000));
  if (isFinal) headers['x-should-retry'] = 'false';
  return headers;
}

const KINDS: Readonly<Record<LlmErrorCode, ApiErrorKind>> = {
  rate_limited: 'rate_limited',
  quota_exceeded: 'out_of_quota',
  overloaded: 'overloaded',
  unauthorized: 'upstream_failed',
  invalid_request: 'invalid_request',
  not_found: 'not_found',
  context_length: 'invalid_request',
  too_large: 'too_large',
  timeout: 'upstream_timeout',
  unavailable: 'upstream_failed',
  stream_interrupted: 'upstream_failed',
  cancelled: 'cancelled',
};

/** What a caller is told of a failed model request. The wording of a provider's 4xx is kept where it was made safe. */
export function toApiError(error: LlmError): ApiError {
  const { code, retryAfterMs, wording, details } = error;
  return new ApiError(KINDS[code], wording ?? error.message, {
    ...(code === 'context_length' && { code: 'context_length_exceeded' }),
    retryAfterMs,
    details,
  });
}
