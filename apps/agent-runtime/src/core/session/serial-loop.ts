import type { Clock } from '@codelab/clock';

/**
 * Runs one function again and again, never twice at a time: whenever it is poked, and at the time that it asked for itself.
 * @param step must not throw; answers when it wants to run next without being poked
 */
export class SerialLoop {
  private wanted = false;
  private stopped = false;
  private running: Promise<void> | undefined;
  private cancelTimer: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly step: () => Promise<number | undefined>,
  ) {}

  /** Something has happened: runs now, or again right after. */
  poke(): void {
    this.wanted = true;
    if (this.running !== undefined || this.stopped) return;
    this.cancelTimer?.();
    this.running = this.run();
  }

  /** Runs no more; what runs ends by itself. */
  stop(): void {
    this.stopped = true;
    this.cancelTimer?.();
  }

  private async run(): Promise<void> {
    let nextAtMs: number | undefined;
    while (this.wanted && !this.stopped) {
      this.wanted = false;
      nextAtMs = await this.step();
    }
    this.running = undefined;
    if (this.stopped || nextAtMs === undefined) return;
    this.cancelTimer = this.clock.after(nextAtMs - this.clock.now(), () => this.poke());
  }
}
