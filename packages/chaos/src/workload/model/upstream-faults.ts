import type { Reply } from '@codelab/testkit';

/** What the upstream does in the place of its answer. */
export type UpstreamFault =
  /** Refuses it; its words hold the key, as careless servers' do. */
  | { readonly how: 'status'; readonly status: number; readonly retryAfterMs?: number }
  /** Says nothing for so long, before the answer or in its middle; then goes on. */
  | { readonly how: 'stall'; readonly forMs: number; readonly afterChunks?: number }
  /** Breaks the connection in the middle of the answer. */
  | { readonly how: 'cut'; readonly afterChunks: number }
  /** Ends the stream in order, without the end of the answer. */
  | { readonly how: 'truncated' }
  /** Every piece takes so long. */
  | { readonly how: 'slow'; readonly pauseMs: number };

/** How the upstream is told to misbehave. */
export interface UpstreamFaults {
  /** The next request meets it; several stand in line. */
  next(fault: UpstreamFault): void;
  /** Every request meets it, until what is returned is called. */
  during(fault: UpstreamFault): () => void;
  /** Nothing any more; a stall ends at once. */
  clear(): void;
}

/** The faults that wait, and their ways to change an answer. */
export class FaultLine implements UpstreamFaults {
  private waiting: UpstreamFault[] = [];
  private readonly lasting = new Set<UpstreamFault>();
  private stalls = new Set<() => void>();

  constructor(private readonly key: string) {}

  next(fault: UpstreamFault): void {
    this.waiting.push(fault);
  }

  during(fault: UpstreamFault): () => void {
    this.lasting.add(fault);
    return () => void this.lasting.delete(fault);
  }

  clear(): void {
    this.waiting = [];
    this.lasting.clear();
    for (const end of [...this.stalls]) end();
  }

  /** The answer as the fault whose turn it is leaves it, and that fault. */
  spoil(reply: Reply): { readonly reply: Reply; readonly fault?: UpstreamFault } {
    const fault = this.waiting.shift() ?? [...this.lasting][0];
    return fault === undefined ? { reply } : { reply: this.apply(fault, reply), fault };
  }

  private apply(fault: UpstreamFault, reply: Reply): Reply {
    switch (fault.how) {
      case 'status': {
        const seconds = String(Math.ceil((fault.retryAfterMs ?? 0) / 1000));
        const headers = fault.retryAfterMs === undefined ? undefined : { 'retry-after': seconds };
        return { status: fault.status, headers, body: { error: { type: 'server_error', message: `Incorrect key ${this.key}: go away.` } } };
      }
      case 'stall':
        return { ...reply, hold: this.stall(fault.forMs), holdAfterChunks: fault.afterChunks ?? 0 };
      case 'cut':
        return { ...reply, cutAfterChunks: fault.afterChunks };
      case 'truncated':
        return { ...reply, finishReason: null };
      case 'slow':
        return { ...reply, delayMs: fault.pauseMs };
    }
  }

  private stall(forMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.stalls.delete(end);
        resolve();
      };
      const timer = setTimeout(end, forMs);
      this.stalls.add(end);
    });
  }
}
