import type { LlmError } from '@codelab/llm';

/** Three retries: enough for a blip, few enough for a person who waits. */
export const MAX_ATTEMPTS = 4;

/** The first retry waits up to this, each later one up to twice as long, at most `MAX_BACKOFF_MS`. */
export const BASE_BACKOFF_MS = 500;
export const MAX_BACKOFF_MS = 8_000;

/** A provider that asks for a longer wait gets none: the failure goes back, with its wait, to whoever can wait better. */
export const MAX_RETRY_AFTER_MS = 60_000;

/** Who has waited this long for nothing is told so, instead of waiting through another timeout. */
export const MAX_ELAPSED_MS = 120_000;

/** Added to a wait that the provider named, so that not everybody comes back in the same instant: up to a tenth. */
const RETRY_AFTER_JITTER = 0.1;

/** What was tried so far. */
export interface Effort {
  /** How often was asked, from 1. */
  readonly attempt: number;
  /** Since the first time. */
  readonly elapsedMs: number;
}

/**
 * How long to wait before asking again, in milliseconds, or nothing: then give up. Only for failures before the first part of an
 * answer; what was shown can't be taken back.
 *
 * @param random from 0 to 1: full jitter, so that clients that failed together don't return together.
 */
export function decideRetry(error: LlmError, { attempt, elapsedMs }: Effort, random: number): number | undefined {
  if (!error.retryable || attempt >= MAX_ATTEMPTS || elapsedMs >= MAX_ELAPSED_MS) return undefined;
  if (error.retryAfterMs === undefined) return Math.round(random * Math.min(MAX_BACKOFF_MS, BASE_BACKOFF_MS * 2 ** (attempt - 1)));
  if (error.retryAfterMs > MAX_RETRY_AFTER_MS) return undefined;
  return error.retryAfterMs + Math.round(error.retryAfterMs * random * RETRY_AFTER_JITTER);
}
