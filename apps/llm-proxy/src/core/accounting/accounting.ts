import type { Owner } from '@codelab/bus';
import type { Usage } from '@codelab/llm';

/** Who pays for a request. */
export interface Payer {
  readonly owner: Owner;
  /** The session that it belongs to, if any: `session_id` of the request, or that of an agent. */
  readonly sessionId?: string;
  /**
   * Names what is asked where it may be asked again by another process, such as the step of an agent: a second admission takes the
   * reservation of the first over, so that it isn't counted twice. Left out: what is asked is asked once.
   */
  readonly requestId?: string;
}

/** What a request will use at most, as far as it can be known before it is asked. */
export interface Estimate {
  readonly inputTokens: number;
  /** What the caller allows (`max_tokens`), else what the model gives at most, else a guess. */
  readonly outputTokens: number;
  /** `costOf(price, …)`; 0 for a model that costs nothing, left out where no price is known. */
  readonly costUsd?: number;
}

/** What is asked for. */
export interface Asked {
  /** The model as the caller names it. */
  readonly model: string;
  /** The name of the model that it leads to first, where that is another one. A key may use a model if it may use either name. */
  readonly leadsTo?: string;
  /** Called only where the key has limits: counting a large request isn't free. */
  readonly estimate: () => Estimate;
}

/** A request that was let in. */
export interface Admission {
  /**
   * Replaces the estimate by what was used, cost included; `undefined`: nothing came, nothing counts but the request itself. The first
   * call counts, a repeat does nothing. Never throws, never waits for Redis.
   */
  settle(used: { readonly model: string; readonly usage: Usage; readonly estimated?: boolean } | undefined): void;
}

/** Limits, budgets and usage, shared by all replicas. */
export interface Accounting {
  /**
   * Lets a request in or throws `ApiError`: `rate_limited` with `retryAfterMs`, `out_of_quota`, `forbidden` (the key may not use the model).
   * One round trip to Redis where the key has limits, none where it has not. While Redis is away a key with limits is refused
   * (`unavailable`), one without is let in.
   */
  admit(payer: Payer, asked: Asked): Promise<Admission>;
  /** Whether a key may use a model by one of these names: for lists of models. */
  mayUse(owner: Owner, ...names: readonly string[]): boolean;
}
