import type { Overflow } from './overflow.js';

/** What can become of a model request, and whether asking again may help. The table is the reference; a pin freezes its codes. */
export const LLM_ERRORS = {
  rate_limited: { retryable: true, meaning: 'The provider limits the rate of requests; `retryAfterMs` says how long, if it said so.' },
  quota_exceeded: { retryable: false, meaning: 'The account at the provider is out of credit.' },
  overloaded: { retryable: true, meaning: 'The provider has no capacity right now.' },
  unauthorized: { retryable: false, meaning: 'The provider refused the key, or the key may not use the model.' },
  invalid_request: { retryable: false, meaning: 'The provider refused the request as it is.' },
  not_found: { retryable: false, meaning: 'No such model or endpoint.' },
  context_length: { retryable: false, meaning: 'The conversation is longer than the model can read.' },
  too_large: { retryable: false, meaning: 'The request has more bytes, or more tokens at once, than the provider takes.' },
  timeout: { retryable: true, meaning: 'The provider took too long to connect, to begin, to go on or to end.' },
  unavailable: { retryable: true, meaning: 'The provider could not be reached or failed.' },
  stream_interrupted: { retryable: true, meaning: 'The answer broke off before its end; what came is incomplete.' },
  cancelled: { retryable: false, meaning: 'Whoever asked no longer wants the answer.' },
} as const satisfies Record<string, { readonly retryable: boolean; readonly meaning: string }>;

export type LlmErrorCode = keyof typeof LLM_ERRORS;

export interface LlmErrorDetails {
  /** Overrides the table where the provider knows better. */
  readonly retryable?: boolean;
  /** How long the provider asked us to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /**
   * What the provider said of a request that it refused with a 4xx, without keys and hosts: for whoever sent that request over our HTTP API,
   * because programs react to the words. Never logged, never shown to others (L1).
   */
  readonly wording?: string;
  /**
   * What the provider said when it wanted the request later, without keys and hosts, at most 300 characters: for the person who waits. Never
   * logged (L1).
   */
  readonly waitWording?: string;
  /** Of `context_length`: what the provider said of the sizes. */
  readonly overflow?: Overflow;
  /** What the provider said of the refusal for programs to read, such as `{error_code: 'thread_not_found'}`: for the same reader. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * The one error of everything that asks a model. Its message is ours, never the provider's, and fit for users: it holds no key, no
 * prompt and no host (L1). For the same reason it has no `cause`: a raw error would reach a log with it.
 */
export class LlmError extends Error {
  override readonly name = 'LlmError';
  readonly code: LlmErrorCode;
  /** Computed once, where the error is made. */
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly overflow?: Overflow;
  declare readonly wording?: string;
  declare readonly waitWording?: string;
  declare readonly details?: Readonly<Record<string, unknown>>;

  constructor(code: LlmErrorCode, message: string, details: LlmErrorDetails = {}) {
    super(message);
    this.code = code;
    this.retryable = details.retryable ?? LLM_ERRORS[code].retryable;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
    if (details.overflow !== undefined) this.overflow = details.overflow;
    // a logger that writes an error's members down must not find a provider's words among them (L1)
    for (const name of ['wording', 'waitWording', 'details'] as const) {
      if (details[name] !== undefined) Object.defineProperty(this, name, { value: details[name], enumerable: false });
    }
  }
}
