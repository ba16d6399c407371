import { LlmError, type LlmErrorCode, type LlmErrorDetails } from '../../../errors/llm-error.js';
import { readRetryAfter, statusToCode, type ProviderRefusal } from '../../chat/errors/decode-error.js';
import { asObject, asText } from '../../chat/wire.js';
import { scrubWording } from '../../../errors/scrub-wording.js';

/** Types that mean one thing whatever the status. */
const KNOWN: Readonly<Record<string, LlmErrorCode>> = {
  authentication_error: 'unauthorized',
  permission_error: 'unauthorized',
  billing_error: 'quota_exceeded',
  insufficient_quota: 'quota_exceeded', // servers that speak both dialects
  rate_limit_error: 'rate_limited',
  overloaded_error: 'overloaded',
  not_found_error: 'not_found',
  timeout_error: 'timeout',
  request_too_large: 'too_large',
  api_error: 'unavailable',
  invalid_request_error: 'invalid_request',
};

const TOO_LONG = /prompt is too long|context (?:length|window|limit)|maximum context|too many (?:input )?tokens/i;
const NO_CREDIT = /credit balance|plans? (?:&|and) billing/i;

const SENTENCES: Readonly<Record<LlmErrorCode, string>> = {
  rate_limited: 'The model provider limits the rate of requests',
  quota_exceeded: 'The account at the model provider is out of credit or quota',
  overloaded: 'The model provider is overloaded',
  unauthorized: 'The model provider refused the API key or its rights; check ANTHROPIC_API_KEY',
  invalid_request: 'The model provider refused the request',
  not_found: 'The model provider knows no such model or endpoint; check the model name and ANTHROPIC_BASE_URL',
  context_length: 'The conversation is longer than the model can read',
  too_large: 'The request is larger than the model provider takes',
  timeout: 'The model provider took too long',
  unavailable: 'The model provider failed',
  stream_interrupted: 'The answer of the model broke off',
  cancelled: 'The request was cancelled',
};

/** Refusals that whoever asked can do something about: their wording is passed on. The others are between us and the provider. */
const TOLD: ReadonlySet<LlmErrorCode> = new Set(['invalid_request', 'context_length', 'too_large', 'not_found', 'rate_limited']);

/** Turns a refusal, or an error inside a stream, into our error. The one place where an error of the Messages API is judged (L1). */
export function decodeError({ status, headers = {}, body, request }: ProviderRefusal): LlmError {
  const { type, message, details } = readError(body);
  const code = toCode(status, type, message);
  const retryAfterMs = readRetryAfter(headers);
  const isTold = TOLD.has(code) && status !== undefined && status >= 400 && status < 500;
  const wording = isTold ? scrubWording(message, request) : undefined;
  const told: LlmErrorDetails = {
    ...(status !== undefined && status >= 300 && status < 400 && { retryable: false }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(wording !== undefined && { wording }),
    ...(isTold && details && { details }),
  };
  const where = status === undefined ? 'in the middle of its answer' : `HTTP ${status}`;
  return new LlmError(code, `${SENTENCES[code]} (${where}).`, told);
}

interface WireError {
  readonly type: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, string>>;
}

/** A word that programs react to, and nothing else. */
const WORD = /^[a-z_]{1,64}$/;

function readError(body: unknown): WireError {
  const top = asObject(typeof body === 'string' ? parse(body) : body);
  const { type, message, details } = asObject(top.error ?? top);
  const words = Object.entries(asObject(details)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && WORD.test(entry[1]),
  );
  return { type: asText(type) ?? '', message: asText(message) ?? '', ...(words.length > 0 && { details: Object.fromEntries(words) }) };
}

function toCode(status: number | undefined, type: string, message: string): LlmErrorCode {
  const byStatus = statusToCode(status);
  if (byStatus === 'too_large') return byStatus;
  const named = Object.hasOwn(KNOWN, type) ? KNOWN[type] : undefined;
  const code = named === undefined || named === 'unavailable' || named === 'invalid_request' ? (byStatus ?? named ?? 'unavailable') : named;
  if (code !== 'invalid_request') return code;
  if (NO_CREDIT.test(message)) return 'quota_exceeded';
  return TOO_LONG.test(message) ? 'context_length' : code;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // HTML, an empty body: the status says enough
  }
}
