import type { Joining, SessionStore } from '@codelab/bus';
import type { SessionRoom } from '../session/session-room.js';

/** Names the tools of a client again when the session makes it the executor. */
export class Rejoining {
  private isWanted = false;
  /** The executor that is gone, where this client is to follow it. */
  private succeeded = '';

  /** @param joining absent for a client that executes nothing */
  constructor(
    private readonly store: SessionStore,
    private readonly room: SessionRoom,
    private readonly joining: Joining | undefined,
  ) {}

  get isDue(): boolean {
    return this.isWanted;
  }

  demand(): void {
    this.isWanted = true;
  }

  /** The executor is gone: this client follows it, if the store agrees. */
  succeed(executor: string): void {
    this.succeeded = executor;
    this.isWanted = true;
  }

  /** Rejects with `BusError`; it stays due then. */
  async settle(): Promise<void> {
    const { joining, succeeded } = this;
    if (this.isWanted && joining !== undefined) {
      const meta = await this.store.join(this.room.ref, { ...joining, ...(succeeded && { succeeds: succeeded }) }, { create: false });
      if (succeeded !== '' && meta !== undefined) this.room.setExecutor(meta.executor);
    }
    this.succeeded = '';
    this.isWanted = false;
  }
}
