import { LlmError, type LlmErrorCode } from '@codelab/llm';
import type { Target } from '../models/model-catalog.js';
import type { Breakers } from './breaker.js';
import { decideRetry } from './retry-policy.js';

/** A target is asked again, after a wait. */
export interface Retry {
  readonly error: LlmError;
  readonly delayMs: number;
  readonly target: Target;
  /** How often it will have been asked then: at most `MAX_ATTEMPTS` times. */
  readonly attempt: number;
}

/** An upstream was asked, once. */
export interface Attempt {
  readonly target: Target;
  /** Until its answer began, or it failed. */
  readonly durationMs: number;
  readonly error?: LlmError;
}

/** What every request of a process shares. */
export interface ChainPorts {
  readonly breakers: Breakers;
  /** Resolves after `ms`, rejects when `signal` aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Milliseconds of a clock that only runs forward. */
  readonly now: () => number;
  /** Told after each attempt. */
  readonly onAttempt?: (attempt: Attempt) => void;
  /** Told before each wait. */
  readonly onRetry?: (retry: Retry) => void;
  /** Told before another target is asked. */
  readonly onFallback?: (error: LlmError, from: Target, to: Target) => void;
}

export interface ChainOptions extends ChainPorts {
  readonly signal: AbortSignal;
  /** Until then a failure can still be told with its status and its wait: no wait goes beyond it. In milliseconds from the beginning. */
  readonly patienceMs?: number;
}

/** Who answered, and after how much trying. */
export interface Asked<T> {
  readonly target: Target;
  readonly value: T;
  /** How often an upstream was asked, over all targets. */
  readonly attempts: number;
}

/** With another target left nobody waits longer than this for the same one. */
const MAX_WAIT_BEFORE_FALLBACK_MS = 2_000;

/** Failures of the request itself, or of whoever asked: no target does better. */
const FINAL: ReadonlySet<LlmErrorCode> = new Set(['invalid_request', 'cancelled']);

/**
 * Asks the targets one after another until one begins to answer. Each is asked again by the retry policy; then the next one is, also where
 * the model is unknown, the conversation too long for it, or our key refused. An upstream whose breaker is open is left out.
 *
 * Throws the failure that says most: the first one that a repeat may help, else the first. What is no `LlmError` is thrown at once.
 *
 * @param attempt resolves when the first part of the answer is there: a failure after that is not of this function, nothing is repeated then
 */
export async function askChain<T>(
  targets: readonly Target[],
  attempt: (target: Target) => Promise<T>,
  options: ChainOptions,
): Promise<Asked<T>> {
  const asking = new Asking(attempt, options);
  const failures: LlmError[] = [];
  for (const [place, target] of targets.entries()) {
    const next = targets[place + 1];
    const outcome = await asking.ask(target, next !== undefined);
    if (!(outcome instanceof LlmError)) return outcome;
    failures.push(outcome);
    if (FINAL.has(outcome.code)) throw outcome;
    if (next) options.onFallback?.(outcome, target, next);
  }
  throw failures.find(({ retryable }) => retryable) ?? failures[0] ?? new LlmError('not_found', 'No model was named.');
}

class Asking<T> {
  private readonly startedMs: number;
  private attempts = 0;

  constructor(
    private readonly attempt: (target: Target) => Promise<T>,
    private readonly options: ChainOptions,
  ) {
    this.startedMs = options.now();
  }

  /** Asks one target until it answers or is given up. Its breaker hears of the request once, however often it was asked. */
  async ask(target: Target, hasNext: boolean): Promise<Asked<T> | LlmError> {
    const pass = this.options.breakers.of(target.upstream.name).enter();
    if ('waitMs' in pass) return toOpenError(target, pass.waitMs);
    try {
      const outcome = await this.askAgain(target, hasNext);
      if (outcome instanceof LlmError) pass.failed(outcome.code === 'cancelled' ? undefined : outcome.code);
      else pass.succeeded();
      return outcome;
    } catch (error) {
      pass.failed(undefined);
      throw error;
    }
  }

  private async askAgain(target: Target, hasNext: boolean): Promise<Asked<T> | LlmError> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.try(target);
      if (!(outcome instanceof LlmError)) return outcome;
      const delayMs = this.decideWait(outcome, attempt, hasNext);
      if (delayMs === undefined) return outcome;
      this.options.onRetry?.({ error: outcome, delayMs, target, attempt: attempt + 1 });
      if (!(await this.wait(delayMs))) return toCancelled();
    }
  }

  private async try(target: Target): Promise<Asked<T> | LlmError> {
    const { now, onAttempt } = this.options;
    const startedMs = now();
    try {
      this.attempts += 1;
      const value = await this.attempt(target);
      onAttempt?.({ target, durationMs: now() - startedMs });
      return { target, value, attempts: this.attempts };
    } catch (error) {
      if (!(error instanceof LlmError)) throw error;
      onAttempt?.({ target, durationMs: now() - startedMs, error });
      return error;
    }
  }

  private decideWait(error: LlmError, attempt: number, hasNext: boolean): number | undefined {
    const { now, random, signal, patienceMs = Infinity } = this.options;
    if (signal.aborted) return undefined;
    const elapsedMs = now() - this.startedMs;
    const delayMs = decideRetry(error, { attempt, elapsedMs }, random());
    if (delayMs !== undefined && elapsedMs < patienceMs && elapsedMs + delayMs > patienceMs) return undefined;
    return hasNext && delayMs !== undefined && delayMs > MAX_WAIT_BEFORE_FALLBACK_MS ? undefined : delayMs;
  }

  private async wait(delayMs: number): Promise<boolean> {
    try {
      await this.options.wait(delayMs, this.options.signal);
      return !this.options.signal.aborted;
    } catch {
      return false; // the signal aborted: said below
    }
  }
}

const toCancelled = (): LlmError => new LlmError('cancelled', 'The request was cancelled while it waited to be sent again.');

const toOpenError = ({ upstream }: Target, waitMs: number): LlmError =>
  new LlmError('overloaded', `The upstream "${upstream.name}" failed again and again and is left alone for a while.`, {
    retryAfterMs: Math.ceil(waitMs),
  });
