import type { Owner } from '@codelab/bus';
import type { Usage } from '@codelab/llm';

/** Who pays for a request. */
export interface Payer {
  readonly owner: Owner;
  /** The session that it belongs to, if any: `session_id` of the request, or that of an agent. */
  readonly sessionId?: string;
}

/** What a request will cost at most, as far as it can be known before it is asked. */
export interface Estimate {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd?: number;
}

/** A request that was let in. Settled exactly once; a repeat does nothing. */
export interface Admission {
  /** Replaces the estimate by what was used; `undefined`: nothing came, nothing counts. Never throws, never waits for Redis. */
  settle(used: { readonly model: string; readonly usage: Usage; readonly estimated?: boolean } | undefined): void;
}

/** Limits, budgets and usage, shared by all replicas. */
export interface Accounting {
  /**
   * Lets a request in or throws `ApiError`: `rate_limited` with `retryAfterMs`, `out_of_quota`, `forbidden` (the key may not use the model).
   * One round trip to Redis where the key has limits, none where it has not. While Redis is away a key with limits is refused
   * (`unavailable`), one without is let in.
   */
  admit(payer: Payer, estimate: Estimate): Promise<Admission>;
}
