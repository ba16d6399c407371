import type { ChildSessions, WakeQueue } from '@codelab/bus';
import type { Clock } from '@codelab/clock';
import type { HotSessions } from '../core/session/hot-sessions.js';
import type { EventLog } from '../core/session/runtime-ports.js';

/** How often every runtime asks for sessions whose time has come. */
const SWEEP_MS = 1_000;

/** Sessions that one sweep takes on. */
const MAX_SWEPT = 256;

/** What a sweep needs. */
export interface SweepPorts {
  readonly wakes: Pick<WakeQueue, 'due'>;
  readonly children: Pick<ChildSessions, 'cancelAbandoned'>;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly sessions: Pick<HotSessions, 'holds' | 'open'>;
  readonly onSwept: (sessions: number) => void;
  /** Whether the store can't be written to, or not be listened to. */
  readonly isAway: () => boolean;
}

/**
 * The guarantee behind the wakes: finds the sessions with work that nobody looks after, and those whose deadline has come, each second; and
 * cancels what programs began that are gone.
 */
export class Sweep {
  private cancel: (() => void) | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly ports: SweepPorts) {
    this.later();
  }

  /** Sweeps no more; resolves when the last one is done. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel?.();
    await this.running;
  }

  private later(): void {
    if (this.stopped) return;
    this.cancel = this.ports.clock.after(SWEEP_MS, () => {
      this.running = this.sweep().finally(() => this.later());
    });
  }

  private async sweep(): Promise<void> {
    const { children, isAway } = this.ports;
    if (isAway()) return; // what is asked for now is kept from others for a while
    // Each by itself: in a cluster the node of one may be away.
    await Promise.all([this.attempt(() => children.cancelAbandoned()), this.attempt(() => this.openDue())]);
  }

  private async openDue(): Promise<void> {
    const { wakes, sessions, onSwept } = this.ports;
    const sids = (await wakes.due(MAX_SWEPT)).filter((sid) => !sessions.holds(sid));
    onSwept(sids.length);
    await Promise.all(sids.map((sid) => sessions.open(sid)));
  }

  private async attempt(part: () => Promise<unknown>): Promise<void> {
    try {
      await part();
    } catch (error) {
      this.ports.log.warn({ event: 'sweep.failed', message: String(error) }); // Redis is away; the next one comes
    }
  }
}
