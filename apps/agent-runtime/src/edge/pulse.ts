import { BEAT_MS, type Heartbeats } from '@codelab/bus';
import type { Clock } from '@codelab/clock';
import type { EventLog } from '../core/session/runtime-ports.js';

/** What a pulse needs. */
export interface PulsePorts {
  readonly heartbeats: Heartbeats;
  /** Names this process among the lease holders. */
  readonly worker: string;
  readonly clock: Clock;
  readonly log: EventLog;
}

/** Says twice a second that this process lives, and so sees who no longer does: what that one held is woken long before its leases end. */
export class Pulse {
  private cancel: (() => void) | undefined;
  private running: Promise<void>;
  private stopped = false;

  constructor(private readonly ports: PulsePorts) {
    this.running = this.beat().finally(() => this.later());
  }

  /** Takes the process out of those that live; resolves when that is said, or can't be. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.cancel?.();
    await this.running;
    const { heartbeats, worker, log } = this.ports;
    const left = await heartbeats.leave(worker).catch(() => []); // away: it falls silent
    if (left.length > 0) log.warn({ event: 'worker.left', worker, sessions: left.length });
  }

  private later(): void {
    if (this.stopped) return;
    this.cancel = this.ports.clock.after(BEAT_MS, () => {
      this.running = this.beat().finally(() => this.later());
    });
  }

  private async beat(): Promise<void> {
    const { heartbeats, worker, log } = this.ports;
    try {
      for (const silent of await heartbeats.beat(worker)) {
        log.warn({ event: 'worker.silent', worker: silent.worker, sessions: silent.sessions.length });
      }
    } catch {
      // Redis is away, which its connection says; the next one comes.
    }
  }
}
