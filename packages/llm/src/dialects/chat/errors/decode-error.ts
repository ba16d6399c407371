import { LlmError, type LlmErrorCode, type LlmErrorDetails } from '../../../errors/llm-error.js';
import { scrubWording } from '../../../errors/scrub-wording.js';
import { asObject, asText } from '../wire.js';

/** A provider's refusal: an HTTP answer, or an error inside a stream (then without status and headers). */
export interface ProviderRefusal {
  readonly status?: number;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as text, or the error object of a stream. */
  readonly body: unknown;
  /** The body of the request that was refused: nothing of it is repeated. */
  readonly request?: string;
}

/** Codes and types that mean one thing wherever they appear. Only these words are read. */
const KNOWN: Readonly<Record<string, LlmErrorCode>> = {
  context_length_exceeded: 'context_length',
  string_above_max_length: 'context_length',
  exceed_context_size_error: 'context_length',
  insufficient_quota: 'quota_exceeded',
  billing_hard_limit_reached: 'quota_exceeded',
  billing_error: 'quota_exceeded',
  rate_limit_exceeded: 'rate_limited',
  rate_limit_error: 'rate_limited',
  invalid_api_key: 'unauthorized',
  authentication_error: 'unauthorized',
  permission_error: 'unauthorized',
  model_not_found: 'not_found',
  not_found_error: 'not_found',
  overloaded: 'overloaded',
  overloaded_error: 'overloaded',
  server_error: 'unavailable',
  internal_server_error: 'unavailable',
  api_error: 'unavailable',
  request_too_large: 'too_large',
  timeout: 'timeout',
  timeout_error: 'timeout',
  invalid_request_error: 'invalid_request',
};

/** What a caller's request is to blame for: its caller may read the provider's words. Those on our key and account are for nobody. */
const OF_THE_CALLER: ReadonlySet<LlmErrorCode> = new Set(['invalid_request', 'not_found', 'context_length', 'too_large']);

const TOO_LONG = /context (?:length|window|size)|maximum context|prompt is too long|too many (?:input )?tokens/i;

/** The fields that we send and a provider may object to. Nothing else that it names is repeated. */
const FIELD =
  /^(?:model|messages|tools|tool_choice|parallel_tool_calls|max_tokens|max_completion_tokens|temperature|stream|stream_options)(?=$|[.[])/;

/** Turns a refusal into our error. The one place where a Chat Completions error is judged (L1). */
export function decodeError({ status, headers = {}, body, request }: ProviderRefusal): LlmError {
  const error = readError(body);
  const code = toCode(status, error);
  const field = FIELD.exec(error.param ?? '')?.[0];
  const where = status === undefined ? 'in the middle of its answer' : `HTTP ${status}${field ? `, field \`${field}\`` : ''}`;
  const retryAfterMs = readRetryAfter(headers);
  const wording = status !== undefined && OF_THE_CALLER.has(code) ? scrubWording(error.message, request) : undefined;
  const details: LlmErrorDetails = {
    ...(status !== undefined && status >= 300 && status < 400 && { retryable: false }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(wording !== undefined && { wording }),
  };
  return new LlmError(code, `${SENTENCES[code]} (${where}).`, details);
}

const SENTENCES: Readonly<Record<LlmErrorCode, string>> = {
  rate_limited: 'The model provider limits the rate of requests',
  quota_exceeded: 'The account at the model provider is out of credit or quota',
  overloaded: 'The model provider is overloaded',
  unauthorized: 'The model provider refused the API key or its rights; check OPENAI_API_KEY',
  invalid_request: 'The model provider refused the request',
  not_found: 'The model provider knows no such model or endpoint; check the model name and OPENAI_BASE_URL',
  context_length: 'The conversation is longer than the model can read',
  too_large: 'The request is larger than the model provider takes',
  timeout: 'The model provider took too long',
  unavailable: 'The model provider failed',
  stream_interrupted: 'The answer of the model broke off',
  cancelled: 'The request was cancelled',
};

interface WireError {
  readonly code?: string;
  readonly type?: string;
  readonly param?: string;
  readonly message?: string;
  readonly status?: number;
}

function readError(body: unknown): WireError {
  const top = asObject(typeof body === 'string' ? parse(body) : body);
  const error = typeof top.error === 'string' ? { message: top.error } : asObject(top.error ?? top);
  const { code, type, param, message, status } = error;
  const texts = { code: asText(code), type: asText(type), param: asText(param), message: asText(message) };
  const number = [code, status].find((value) => typeof value === 'number');
  return { ...withoutUndefined(texts), ...(number !== undefined && { status: number }) };
}

function toCode(status: number | undefined, error: WireError): LlmErrorCode {
  const byStatus = statusToCode(status ?? error.status);
  if (byStatus === 'too_large') return byStatus; // whatever limit it was: the same request won't pass
  const named = [error.code, error.type].map(meaningOf).find((code) => code !== undefined);
  if (named && named !== 'invalid_request' && named !== 'unavailable') return named;
  const refused = (byStatus ?? named) === 'invalid_request';
  if (refused && TOO_LONG.test(error.message ?? '')) return 'context_length';
  return byStatus ?? named ?? 'unavailable';
}

const meaningOf = (word = ''): LlmErrorCode | undefined => (Object.hasOwn(KNOWN, word) ? KNOWN[word] : undefined);

export function statusToCode(status: number | undefined): LlmErrorCode | undefined {
  if (status === undefined || status < 300) return undefined;
  switch (status) {
    case 401:
    case 403:
      return 'unauthorized';
    case 402:
      return 'quota_exceeded';
    case 404:
      return 'not_found';
    case 413:
      return 'too_large';
    case 408:
    case 504:
      return 'timeout';
    case 429:
      return 'rate_limited';
    case 409:
    case 425:
      return 'unavailable';
    case 503:
    case 529:
      return 'overloaded';
    default:
      return status >= 400 && status < 500 ? 'invalid_request' : 'unavailable';
  }
}

/** `retry-after-ms`, else `Retry-After` in seconds or as a date, in milliseconds from now. */
export function readRetryAfter(headers: NonNullable<ProviderRefusal['headers']>): number | undefined {
  const ms = Number(asText(headers['retry-after-ms']) ?? NaN);
  if (ms >= 0) return Math.ceil(ms);
  const text = asText(headers['retry-after']);
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!Number.isNaN(seconds)) return seconds >= 0 ? Math.ceil(seconds * 1000) : undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // HTML, an empty body: the status says enough
  }
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as { [K in keyof T]?: NonNullable<T[K]> };
}
