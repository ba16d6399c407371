import type { LoggedFrame, Position, SessionCalls, SessionRef, SessionStream, StreamEvent } from '@codelab/bus';
import type { Clock } from '@codelab/clock';
import type { Outbox } from '../outbox/outbox.js';
import type { GatewayStats } from '../stats.js';
import { isOpen } from '../delivery/present-call.js';

/** Wait before a delivery is tried again after the store was away. */
const RETRY_MS = 500;

interface FollowerPorts {
  readonly store: Pick<SessionCalls, 'readCalls'>;
  readonly clock: Clock;
  readonly stats: Pick<GatewayStats, 'feedGaps'>;
}

/** What a follower does for one client. */
export interface Following {
  readonly ref: SessionRef;
  /** Old frames above this are not sent: the client is resynchronised. */
  readonly maxReplayCharacters: number;
  /**
   * Hands the next frame to the client; a promise is waited for.
   * @param openCalls for frames that may be old: the calls that are still open
   */
  deliver(frame: LoggedFrame, openCalls: ReadonlySet<string> | undefined): Promise<void> | undefined;
  /** Brings the client up to date without the frames. Answers the position reached. */
  resynchronise(): Promise<Position>;
  /** Something is to be done once the client has all frames. */
  readonly isDue: boolean;
  /** Does it, unless frames up to an answered number must be delivered first. */
  doDue(seq: number): Promise<number | undefined>;
  /** The store is away, or we have a fault: `true` to try again. */
  onError(error: unknown): boolean;
}

/**
 * Delivers the stream of a session to one client, frame by frame (G3). It holds nothing for a client that takes nothing (G4), and where
 * nothing is to be done it rests: no promise waits for what may come in hours.
 */
export class Follower {
  private position: Position = { epoch: '', seq: 0 };
  private holds = 0;
  private isLost = false;
  private isLagging = false;
  /** How often the client fell behind; a delivery that was overtaken by it ends. */
  private lags = 0;
  /** The client has all that was known to be in the log; what comes now is new. */
  private isCaughtUp = false;
  private isStopped = false;
  private isResting = false;
  /** Ends a wait in the middle of something. */
  private resume: (() => void) | undefined = undefined;

  constructor(
    private readonly ports: FollowerPorts,
    private readonly outbox: Pick<Outbox, 'whenRoom'>,
    private readonly stream: SessionStream,
    private readonly following: Following,
  ) {
    stream.listener = this;
  }

  /** Begins after a position. @param first what was read there already, with the calls among it that are still open */
  start(position: Position, first?: { readonly event: StreamEvent; readonly openCalls: ReadonlySet<string> | undefined }): void {
    this.position = position;
    void this.run(first?.event, first?.openCalls);
  }

  /** The calls that are still open, where frames name any. */
  async openCallsOf(frames: readonly LoggedFrame[]): Promise<ReadonlySet<string> | undefined> {
    if (!frames.some(({ head }) => head.type === 'tool_call')) return undefined;
    return new Set((await this.ports.store.readCalls(this.following.ref.sid)).filter(isOpen).map(({ callId }) => callId));
  }

  /** Nothing is delivered until as many `release` calls. */
  hold(): void {
    this.holds += 1;
  }

  release(): void {
    this.holds -= 1;
    this.goOn();
  }

  /** The client takes nothing more; go on by {@link catchUp}. */
  lag(): void {
    this.lags += 1;
    this.isLagging = true;
  }

  /** @param from where to go on; `lost`: where that can't be told */
  catchUp(from: 'lost' | { readonly seq: number }): void {
    if (!this.isLagging) return;
    this.isLagging = false;
    this.isCaughtUp = false;
    if (from === 'lost') this.isLost = true;
    else this.position = { ...this.position, seq: from.seq };
    this.stream.seek(this.position);
    this.goOn();
  }

  /** Something became due. */
  wake(): void {
    this.goOn();
  }

  onNews(): void {
    if (this.isResting) this.goOn();
  }

  stop(): void {
    this.isStopped = true;
    this.stream.close();
    this.goOn();
  }

  private async run(first?: StreamEvent, knownCalls?: ReadonlySet<string>): Promise<void> {
    let event = first;
    let known = knownCalls;
    while (!this.isStopped) {
      try {
        if (event !== undefined) await this.take(event, known);
        event = undefined;
        known = undefined;
        if (this.isStopped) return;
        if (this.isPaused) return this.rest();
        if (this.isLost) await this.resynchronise();
        else if (this.following.isDue && !this.stream.hasMore) await this.doDue();
        else if (this.stream.hasMore) event = await this.stream.next();
        else {
          this.isCaughtUp = true;
          return this.rest();
        }
      } catch (error) {
        event = undefined;
        if (this.isStopped || !this.following.onError(error)) return;
        this.isCaughtUp = false;
        this.stream.seek(this.position);
        await this.retryTime();
      }
    }
  }

  /** Nothing may leave now. */
  private get isPaused(): boolean {
    return this.isLagging || this.holds > 0;
  }

  private async take(event: StreamEvent, known: ReadonlySet<string> | undefined): Promise<void> {
    if (event.kind === 'closed') this.isStopped = true;
    if (event.kind === 'reset') this.isLost = true;
    if (event.kind !== 'logged') return;
    const { frames, fromLog } = event;
    const isLive = this.isCaughtUp;
    if (!isLive && charactersOf(frames) > this.following.maxReplayCharacters) {
      this.isLost = true;
      return;
    }
    if (isLive && fromLog) this.ports.stats.feedGaps += 1;
    const { lags } = this;
    const openCalls = isLive ? undefined : (known ?? (await this.openCallsOf(frames)));
    for (const frame of frames) {
      if (!this.isCaughtUp) await this.outbox.whenRoom();
      while (this.holds > 0 && !this.isStopped) await this.late(this.news());
      if (this.isStopped || this.lags !== lags) return;
      const delivered = this.following.deliver(frame, openCalls);
      if (delivered !== undefined) await this.late(delivered);
      if (this.lags !== lags) return;
      this.position = { ...this.position, seq: frame.seq };
    }
  }

  /** What comes after a wait may be old. */
  private late(waiting: Promise<void>): Promise<void> {
    this.isCaughtUp = false;
    return waiting;
  }

  private async resynchronise(): Promise<void> {
    this.position = await this.following.resynchronise();
    this.isLost = false;
    if (!this.isStopped) this.stream.seek(this.position);
  }

  private async doDue(): Promise<void> {
    const wanted = await this.following.doDue(this.position.seq);
    if (wanted !== undefined) this.stream.expectMore();
  }

  private async retryTime(): Promise<void> {
    const waiting = this.news();
    const cancel = this.ports.clock.after(RETRY_MS, () => this.goOn());
    await waiting;
    cancel();
  }

  private news(): Promise<void> {
    return new Promise((resolve) => (this.resume = resolve));
  }

  private goOn(): void {
    const { resume } = this;
    this.resume = undefined;
    resume?.();
    if (!this.isResting) return;
    this.isResting = false;
    void this.run();
  }

  private rest(): void {
    this.isResting = true;
  }
}

/** What frames take as text. */
export const charactersOf = (frames: readonly LoggedFrame[]): number => frames.reduce((sum, { text }) => sum + text.length, 0);
