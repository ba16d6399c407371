import type { SessionReading, SessionRef, SessionStore } from '@codelab/bus';
import { redeliverCalls, type Receiver } from '../delivery/give-calls.js';

const NONE: ReadonlySet<string> = new Set();

/**
 * Gives the calls that are open at one point of the log to their executor, whenever that is due: when it joins, falls behind, or becomes
 * the executor. What it was sent on its way there isn't given twice (R2). It is needed only while it is due.
 */
export class OpenCalls {
  /** How often it became due. */
  private due = 0;
  /** The calls that went out since a snapshot or a replay began. */
  private sent: Set<string> | undefined = undefined;
  private reading: SessionReading | undefined = undefined;

  constructor(
    private readonly store: SessionStore,
    private readonly ref: SessionRef,
  ) {}

  get areDue(): boolean {
    return this.due > 0;
  }

  demand(): void {
    this.due += 1;
  }

  /** The client hears now that it executes: what it was shown before that it took for another's, and has not begun. */
  demandAll(): void {
    this.sent = new Set();
    this.due += 1;
  }

  /** The client begins, or begins anew with the session as it was read here. */
  restart(reading?: SessionReading): void {
    this.sent = new Set();
    this.reading = reading;
    this.due += 1;
  }

  /** The client was sent this call. */
  note(callId: string): void {
    this.sent?.add(callId);
  }

  /**
   * Gives them, once the client has all frames up to the point where they were read.
   * @param seq the last frame that it has
   * @returns the frame that it must have first; `undefined` when they are given
   */
  async give(seq: number, receiver: Receiver, write: (frame: string) => void): Promise<number | undefined> {
    const { due } = this;
    // What was read before a frame that the client has would show it calls as they were.
    if (this.reading === undefined || this.reading.meta.seq < seq) this.reading = await this.store.read(this.ref, { historyItems: 0 });
    const { meta, calls: records } = this.reading ?? { meta: undefined, calls: [] };
    if (meta !== undefined && meta.seq > seq) return meta.seq;
    const frames = await redeliverCalls(this.store, this.ref, receiver, { records, sent: this.sent ?? NONE });
    this.settle(due);
    for (const frame of frames) write(frame);
    return undefined;
  }

  /** They are given, or another's to run. */
  settle(due = this.due): undefined {
    this.due -= due;
    this.sent = undefined;
    this.reading = undefined;
  }
}
