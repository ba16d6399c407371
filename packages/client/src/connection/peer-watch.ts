import type { Clock } from '@codelab/clock';

/** Silence after which the peer is asked for a sign of life. Gateways ping more often than this. */
const QUIET_MS = 20_000;

/** Silence after the question that means the peer is gone. */
const DEAD_MS = 10_000;

/** Notices a peer that is gone without a word: a suspended laptop, a pulled cable. Lives as long as one socket. */
export class PeerWatch {
  private seenAt: number;
  private callOff: () => void;

  constructor(
    private readonly clock: Clock,
    private readonly ask: () => void,
    private readonly onDead: () => void,
  ) {
    this.seenAt = clock.now();
    this.callOff = clock.after(QUIET_MS, () => this.look());
  }

  /** Anything came from the peer. */
  sign(): void {
    this.seenAt = this.clock.now();
  }

  stop(): void {
    this.callOff();
  }

  private look(): void {
    const quiet = this.clock.now() - this.seenAt;
    if (quiet < QUIET_MS) {
      this.callOff = this.clock.after(QUIET_MS - quiet, () => this.look());
      return;
    }
    const asked = this.seenAt;
    this.ask();
    this.callOff = this.clock.after(DEAD_MS, () => (this.seenAt === asked ? this.onDead() : this.look()));
  }
}
