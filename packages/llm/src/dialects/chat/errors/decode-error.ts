import { readOverflow, saysTooLong } from '../../../errors/overflow.js';
import { LlmError, type LlmErrorCode } from '../../../errors/llm-error.js';
import {
  readRetryAfter,
  readWaitWording,
  refusalSentences,
  retryableOf,
  statusToCode,
  type ProviderRefusal,
} from '../../../errors/provider-refusal.js';
import { scrubWording } from '../../../errors/scrub-wording.js';
import { asObject, asText, parseJson } from '../../../json/read-json.js';

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

/** The fields that we send and a provider may object to. Nothing else that it names is repeated. */
const FIELD =
  /^(?:model|messages|tools|tool_choice|parallel_tool_calls|max_tokens|max_completion_tokens|temperature|stream|stream_options)(?=$|[.[])/;

/** Turns a refusal into our error. The one place where a Chat Completions error is judged (L1). */
export function decodeError(refusal: ProviderRefusal): LlmError {
  const { status, headers = {}, body, request } = refusal;
  const error = readError(body);
  const code = toCode(status, error);
  const field = FIELD.exec(error.param ?? '')?.[0];
  const where = status === undefined ? 'in the middle of its answer' : `HTTP ${status}${field ? `, field \`${field}\`` : ''}`;
  const retryAfterMs = readRetryAfter(headers);
  const wording = status !== undefined && OF_THE_CALLER.has(code) ? scrubWording(error.message, request) : undefined;
  const overflow = code === 'context_length' ? readOverflow(error.message) : undefined;
  const waitWording = readWaitWording(code, error.message, refusal);
  const retryable = retryableOf(status);
  return new LlmError(code, `${SENTENCES[code]} (${where}).`, { retryable, retryAfterMs, wording, waitWording, overflow });
}

const SENTENCES = refusalSentences('OPENAI_API_KEY', 'OPENAI_BASE_URL');

interface WireError {
  readonly code?: string;
  readonly type?: string;
  readonly param?: string;
  readonly message?: string;
  readonly status?: number;
}

function readError(body: unknown): WireError {
  const value = typeof body === 'string' ? parseJson(body) : body;
  const top = asObject(Array.isArray(value) ? value[0] : value); // Gemini puts its error into a list
  const error = typeof top.error === 'string' ? { message: top.error } : asObject(top.error ?? top);
  const { code, type, param, message, status } = error;
  const number = [code, status].find((value) => typeof value === 'number');
  return { code: asText(code), type: asText(type), param: asText(param), message: asText(message), status: number };
}

function toCode(status: number | undefined, error: WireError): LlmErrorCode {
  const byStatus = statusToCode(status ?? error.status);
  if (byStatus === 'too_large') return byStatus; // whatever limit it was: the same request won't pass
  const named = [error.code, error.type].map(meaningOf).find((code) => code !== undefined);
  if (named && named !== 'invalid_request' && named !== 'unavailable') return named;
  const refused = (byStatus ?? named) === 'invalid_request';
  if (refused && saysTooLong(error.message)) return 'context_length';
  return byStatus ?? named ?? 'unavailable';
}

const meaningOf = (word = ''): LlmErrorCode | undefined => (Object.hasOwn(KNOWN, word) ? KNOWN[word] : undefined);
