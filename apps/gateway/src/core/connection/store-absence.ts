import type { Clock } from '@codelab/clock';

/** How long frames wait for a store that went away. Most absences are restarts and failovers, and over sooner. */
const PATIENCE_MS = 3_000;

/**
 * An absence of the store. Frames that come at its beginning wait for its end instead of being refused: a client would send them again by
 * itself, later each time, and so long after the store is back. What comes later is refused at once.
 */
export class StoreAbsence {
  private over: Promise<void> | undefined;
  private finish: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  /** The store went away. */
  begin(): void {
    if (this.finish !== undefined) return;
    const cancel = this.clock.after(PATIENCE_MS, () => this.release());
    this.over = new Promise((resolve) => {
      this.finish = () => {
        cancel();
        resolve();
      };
    });
  }

  /** It is back, or nobody waits for it any more. */
  end(): void {
    this.release();
    this.finish = undefined;
  }

  /** Resolves when the store is back, or has been away for too long; nothing while it is there, or afterwards. */
  wait(): Promise<void> | undefined {
    return this.over;
  }

  private release(): void {
    this.finish?.();
    this.over = undefined;
  }
}
