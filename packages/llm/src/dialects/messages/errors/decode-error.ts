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
import { asObject, asText, parseJson } from '../../../json/read-json.js';
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

const NO_CREDIT = /credit balance|plans? (?:&|and) billing/i;

const SENTENCES = refusalSentences('ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL');

/** Refusals that whoever asked can do something about: their wording is passed on. The others are between us and the provider. */
const TOLD: ReadonlySet<LlmErrorCode> = new Set(['invalid_request', 'context_length', 'too_large', 'not_found', 'rate_limited']);

/** Turns a refusal, or an error inside a stream, into our error. The one place where an error of the Messages API is judged (L1). */
export function decodeError(refusal: ProviderRefusal): LlmError {
  const { status, headers = {}, body, request } = refusal;
  const { type, message, details } = readError(body);
  const code = toCode(status, type, message);
  const retryAfterMs = readRetryAfter(headers);
  const isTold = TOLD.has(code) && status !== undefined && status >= 400 && status < 500;
  const wording = isTold ? scrubWording(message, request) : undefined;
  const where = status === undefined ? 'in the middle of its answer' : `HTTP ${status}`;
  return new LlmError(code, `${SENTENCES[code]} (${where}).`, {
    retryable: retryableOf(status),
    retryAfterMs,
    wording,
    waitWording: readWaitWording(code, message, refusal),
    overflow: code === 'context_length' ? readOverflow(message) : undefined,
    details: isTold ? details : undefined,
  });
}

interface WireError {
  readonly type: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, string>>;
}

/** A word that programs react to, and nothing else. */
const WORD = /^[a-z_]{1,64}$/;

function readError(body: unknown): WireError {
  const top = asObject(typeof body === 'string' ? parseJson(body) : body);
  const { type, message, details } = asObject(top.error ?? top);
  const words = Object.entries(asObject(details)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && WORD.test(entry[1]),
  );
  return { type: asText(type) ?? '', message: asText(message) ?? '', details: words.length > 0 ? Object.fromEntries(words) : undefined };
}

function toCode(status: number | undefined, type: string, message: string): LlmErrorCode {
  const byStatus = statusToCode(status);
  if (byStatus === 'too_large') return byStatus;
  const named = Object.hasOwn(KNOWN, type) ? KNOWN[type] : undefined;
  const code = named === undefined || named === 'unavailable' || named === 'invalid_request' ? (byStatus ?? named ?? 'unavailable') : named;
  if (code !== 'invalid_request') return code;
  if (NO_CREDIT.test(message)) return 'quota_exceeded';
  return saysTooLong(message) ? 'context_length' : code;
}
