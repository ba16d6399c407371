import type { StoreKind } from '../redis/store.js';
import type { ChaosSystem } from '../system/chaos-system.js';

/** A process of the workload that faults act on. */
export interface ClientHandle {
  readonly name: string;
  readonly pid: number;
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  freeze(): void;
  thaw(): void;
  restart(): Promise<void>;
}

/** What goes wrong with the next request to the model upstream. */
export type UpstreamFault =
  | { readonly how: 'status'; readonly status: number; readonly retryAfterMs?: number }
  | { readonly how: 'stall'; readonly forMs: number; readonly afterChunks?: number }
  | { readonly how: 'cut'; readonly afterChunks: number }
  | { readonly how: 'truncated' }
  | { readonly how: 'slow'; readonly pauseMs: number };

/** Whom faults can reach. */
export interface FaultScene {
  readonly system: ChaosSystem;
  readonly clients: () => readonly ClientHandle[];
  readonly breakUpstream: (fault: UpstreamFault) => void;
  /** Says that acknowledged writes may be gone. */
  storeLost(how: string, sinceMs: number): void;
  /** Milliseconds of the run. */
  nowMs(): number;
}

/** What a fault is done with. */
export interface FaultArguments {
  readonly target: number;
  readonly forMs: number;
  readonly amount: number;
}

/** What was done, and what takes it back. */
export interface Done {
  /** Whom it was done to, by name. */
  readonly target: string;
  readonly detail?: string;
  /** Takes it back; called `forMs` later, or at the end of the storm. */
  readonly heal?: () => Promise<void> | void;
}

/** One kind of fault. */
export interface Fault {
  readonly name: string;
  /** How often it is drawn, beside the others. */
  readonly weight: number;
  /** Where it can be done; default: everywhere. */
  readonly stores?: readonly StoreKind[];
  /** How long it lasts, from and to. */
  readonly ms: readonly [number, number];
  /** How much, from and to; what it means is its own. */
  readonly amount?: readonly [number, number];
  readonly begin: (scene: FaultScene, how: FaultArguments) => Promise<Done | undefined> | Done | undefined;
}

/** Beyond the lease of a session, the claim of a model request, and every timeout of the run's settings. */
const BEYOND_ALL_MS = 6_500;

/** How much of a freeze: one in six is longer than everything that waits. */
export const FREEZE = [1, 6] as const;

/** What ends a freeze that was begun; `forMs` later it is called, and waits for what is left. */
export function thawing(target: string, { amount, forMs }: FaultArguments, thaw: () => void): Done {
  const leftMs = amount === FREEZE[1] ? BEYOND_ALL_MS - forMs : 0;
  return {
    target,
    detail: `${String(forMs + leftMs)} ms`,
    heal: async () => {
      if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
      thaw();
    },
  };
}

/** The element at a number that may be larger than the list. */
export const pick = <T>(of: readonly T[], at: number): T | undefined => of[at % Math.max(of.length, 1)];
