import { asText } from '../json/read-json.js';
import type { LlmErrorCode } from './llm-error.js';
import { scrubWording } from './scrub-wording.js';

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

/** What each refusal is called, in words of ours. The settings are those of the environment for the vendor of the dialect. */
export const refusalSentences = (apiKey: string, baseUrl: string): Readonly<Record<LlmErrorCode, string>> => ({
  rate_limited: 'The model provider limits the rate of requests',
  quota_exceeded: 'The account at the model provider is out of credit or quota',
  overloaded: 'The model provider is overloaded',
  unauthorized: `The model provider refused the API key or its rights; check ${apiKey}`,
  invalid_request: 'The model provider refused the request',
  not_found: `The model provider knows no such model or endpoint; check the model name and ${baseUrl}`,
  context_length: 'The conversation is longer than the model can read',
  too_large: 'The request is larger than the model provider takes',
  timeout: 'The model provider took too long',
  unavailable: 'The model provider failed',
  stream_interrupted: 'The answer of the model broke off',
  cancelled: 'The request was cancelled',
});

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

/** A line or two of a terminal. */
const MAX_WAIT_CHARACTERS = 300;

/** What the provider said of a request that it wants later, where it can do so by a status of its own. */
export function readWaitWording(code: LlmErrorCode, message: unknown, { status, request }: ProviderRefusal): string | undefined {
  if (status === undefined || (code !== 'rate_limited' && code !== 'overloaded')) return undefined;
  return scrubWording(message, request)?.slice(0, MAX_WAIT_CHARACTERS);
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

/** A redirect is a setting that is wrong, not a failure that passes. */
export const retryableOf = (status: number | undefined): false | undefined =>
  status !== undefined && status >= 300 && status < 400 ? false : undefined;
