import type { LlmErrorCode } from '@codelab/llm';

/** Requests one after another whose failure opens a breaker; the repeats of a request count as one. */
export const MAX_CONSECUTIVE_FAILURES = 10;

/** The latest outcomes that are judged, and how many of them may be failures. */
export const WINDOW = 40;
export const MAX_FAILURES_IN_WINDOW = 20;

/** How long an open breaker waits before it lets one request try: this, then twice as long after each failed try, at most `MAX_OPEN_MS`. */
export const OPEN_MS = 5_000;
export const MAX_OPEN_MS = 60_000;

/** Failures that say something of the upstream's health. A rate limit, a refused key and a bad request don't: it answers. */
const COUNTED: ReadonlySet<LlmErrorCode> = new Set(['overloaded', 'timeout', 'unavailable', 'stream_interrupted']);

export type BreakerState = 'closed' | 'open' | 'half_open';

type State =
  | { readonly kind: 'closed' }
  | { readonly kind: 'open'; readonly untilMs: number; readonly openMs: number }
  /** One request tries; others are refused until it comes back. */
  | { readonly kind: 'half_open'; readonly openMs: number };

/** A request that was let through; tell how it went, once. */
export interface Pass {
  succeeded(): void;
  /** `undefined`: it ended without a verdict, such as a caller who left. */
  failed(code: LlmErrorCode | undefined): void;
}

export interface BreakerPorts {
  /** Milliseconds of a clock that only runs forward. */
  readonly now: () => number;
  readonly onChange?: (state: BreakerState) => void;
}

/**
 * Keeps requests away from an upstream that fails: nobody waits for timeouts that are certain, and the upstream can recover. Judged in each
 * process by itself. It opens after `MAX_CONSECUTIVE_FAILURES`, or when half of the latest `WINDOW` outcomes are failures.
 */
export class Breaker {
  private readonly ports: BreakerPorts;
  private stateNow: State = { kind: 'closed' };
  private outcomes: boolean[] = [];
  private consecutive = 0;

  constructor(ports: BreakerPorts) {
    this.ports = ports;
  }

  get state(): BreakerState {
    return this.stateNow.kind;
  }

  /** Lets a request through, or says how long to stay away, in milliseconds. */
  enter(): Pass | { readonly waitMs: number } {
    const state = this.stateNow;
    if (state.kind === 'half_open') return { waitMs: OPEN_MS };
    if (state.kind === 'closed') return { succeeded: () => this.count(true), failed: (code) => this.failed(code) };
    const waitMs = state.untilMs - this.ports.now();
    if (waitMs > 0) return { waitMs };
    const tries: State = { kind: 'half_open', openMs: state.openMs };
    this.enterNow(tries);
    return {
      succeeded: () => this.tried(tries, () => this.close()),
      failed: (code) => this.tried(tries, () => this.tryFailed(tries.openMs, code)),
    };
  }

  private failed(code: LlmErrorCode | undefined): void {
    if (code !== undefined && this.stateNow.kind === 'closed') this.count(!COUNTED.has(code));
  }

  /** Outcomes of requests that were let through before it opened say nothing new. */
  private count(isGood: boolean): void {
    if (this.stateNow.kind !== 'closed') return;
    this.consecutive = isGood ? 0 : this.consecutive + 1;
    this.outcomes = [...this.outcomes.slice(1 - WINDOW), isGood];
    const failures = isGood ? 0 : this.outcomes.filter((good) => !good).length;
    if (this.consecutive >= MAX_CONSECUTIVE_FAILURES || failures >= MAX_FAILURES_IN_WINDOW) this.open(OPEN_MS);
  }

  private tried(tries: State, judge: () => void): void {
    if (this.stateNow === tries) judge();
  }

  /** A try without a verdict lets the next request try at once. */
  private tryFailed(openMs: number, code: LlmErrorCode | undefined): void {
    if (code === undefined) this.enterNow({ kind: 'open', untilMs: this.ports.now(), openMs });
    else if (COUNTED.has(code)) this.open(Math.min(MAX_OPEN_MS, openMs * 2));
    else this.close();
  }

  private open(openMs: number): void {
    this.enterNow({ kind: 'open', untilMs: this.ports.now() + openMs, openMs });
  }

  private close(): void {
    this.outcomes = [];
    this.consecutive = 0;
    this.enterNow({ kind: 'closed' });
  }

  private enterNow(state: State): void {
    this.stateNow = state;
    this.ports.onChange?.(state.kind);
  }
}

/** One breaker for each upstream. */
export class Breakers {
  private readonly breakers = new Map<string, Breaker>();

  constructor(
    private readonly ports: { readonly now: () => number; readonly onBreaker?: (upstream: string, state: BreakerState) => void },
  ) {}

  of(upstream: string): Breaker {
    const known = this.breakers.get(upstream);
    if (known) return known;
    const { now, onBreaker } = this.ports;
    const breaker = new Breaker({ now, onChange: (state) => onBreaker?.(upstream, state) });
    this.breakers.set(upstream, breaker);
    return breaker;
  }
}
