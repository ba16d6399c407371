import type { Owner } from '../session-ref.js';

/** How often something may happen. */
export interface RateLimits {
  readonly requests?: number;
  /** Input and output. */
  readonly tokens?: number;
}

/** What may be spent. */
export interface Budget {
  readonly usd: number;
  /** Days and months are those of UTC; `total` never begins again. */
  readonly per: 'day' | 'month' | 'total';
}

/** A request that asks to be let in, and what it will use at most. */
export interface Reservation {
  /** Names the request. A second reservation of the same name takes the place of the first. */
  readonly requestId: string;
  readonly limits: RateLimits;
  readonly budget?: Budget;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** 0: it costs nothing, and no budget counts. Left out: unknown, and a budget counts that is used up already. */
  readonly costUsd?: number;
}

/** What was reserved. Given back with the settlement. */
export interface Receipt {
  readonly requestId: string;
  /** Opaque: where the tokens stand that are reserved. */
  readonly slot: number;
  readonly tokens: number;
  readonly costUsd: number;
}

/** Answer of `reserve`. Nothing is reserved where it is refused. Amounts are those at that moment. */
export type Reserved =
  | { readonly kind: 'reserved'; readonly receipt: Receipt }
  /** `retryAfterMs`: when it would fit if nobody else asks. */
  | { readonly kind: 'refused'; readonly limit: 'requests'; readonly used: number; readonly retryAfterMs: number }
  /** `retryAfterMs` is left out where the input alone is over the limit: it will never fit. */
  | { readonly kind: 'refused'; readonly limit: 'tokens'; readonly used: number; readonly needed: number; readonly retryAfterMs?: number }
  /**
   * `retryAfterMs`: when the budget begins again, left out for `total`. `heldUsd`: what requests in flight have reserved; `fitsLater`: the
   * request would fit if they cost nothing.
   */
  | {
      readonly kind: 'refused';
      readonly limit: 'budget';
      readonly spentUsd: number;
      readonly heldUsd: number;
      readonly fitsLater: boolean;
      readonly retryAfterMs?: number;
    };

/** What one request, or several together, came to. */
export interface UsageCounts {
  readonly requests: number;
  /** Of these: counted by our estimate, because nobody told. */
  readonly estimatedRequests: number;
  /** All input, cached or not. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly costUsd: number;
}

/** What was used by requests of one model and one session on one day. */
export interface UsageRow extends UsageCounts {
  /** `YYYY-MM-DD`, of UTC. */
  readonly day: string;
  readonly model: string;
  /** `''`: of no session. */
  readonly sessionId: string;
}

/** The end of a request: what it used, and what was reserved for it. */
export interface Settlement {
  /** Left out where nothing was reserved. */
  readonly receipt?: Receipt;
  /** Left out where nothing came: only the reservation ends. */
  readonly used?: UsageCounts & { readonly model: string; readonly sessionId?: string };
}

/**
 * What callers used, and whether they may use more, shared by all replicas. The clock is that of Redis.
 *
 * A reservation is one step: checked against all limits and counted, or refused and not. Rates hold in every window of a minute, whoever asks
 * where. A budget holds as far as estimates do: what is spent and what is reserved never exceed it when a request is let in. A reservation
 * lives as long as the process that holds it, and ends by itself soon after; its tokens stay counted for the rest of their minute.
 */
export interface Ledger {
  /** One round trip. Throws `BusError` while Redis is away. */
  reserve(owner: Owner, reservation: Reservation): Promise<Reserved>;
  /**
   * Takes a settlement; it is stored at once where something was reserved, else within a second, and exactly once, whatever happens to Redis
   * meanwhile. What is not stored when this process dies is lost. Never throws.
   */
  settle(owner: Owner, settlement: Settlement): void;
  /** What was used on these days (`YYYY-MM-DD`, both included), what this process knows among it. Throws `BusError`. */
  readUsage(owner: Owner, range: { readonly from: string; readonly to: string }): Promise<readonly UsageRow[]>;
  /** Stores what is not stored yet. Throws `BusError` where that fails; it is tried again. */
  flush(): Promise<void>;
}
