import type { LoggedFrame } from '@codelab/bus';
import type { Clock } from '@codelab/clock';
import type { Position, ReplayRead } from './read-replay.js';

/** Wait before the log is read again after the store was away. */
const RETRY_MS = 500;

/** Whom a cursor brings frames to, and where it reads them. */
export interface CursorOwner {
  /** Delivers the next frame; `false`: that takes time, `deliver` does it. */
  deliverNow(frame: LoggedFrame): boolean;
  /** @param openCalls for a replay: the calls that are still open */
  deliver(frame: LoggedFrame, openCalls: ReadonlySet<string> | undefined): Promise<void>;
  readOn(position: Position): Promise<ReplayRead>;
  /** Brings the client up to date without the frames: a snapshot, or an excuse. Answers the position reached. */
  resynchronise(): Promise<Position>;
  /** Something is to be said once all frames are delivered. */
  readonly isSomethingDue: boolean;
  /**
   * @param seq the last frame that was delivered
   * @returns a frame of the log that must be delivered first: call again then
   */
  doDue(seq: number): Promise<number | undefined>;
  /** How far the feed is. */
  readonly head: number;
  /** The feed skipped a frame. */
  onGap(): void;
  /** Resolves when the client can take more; `undefined` if it can now. */
  whenRoom(): Promise<void> | undefined;
  /** The store is away, or we have a fault: `true` to try again. */
  onError(error: unknown): boolean;
}

/** `live`: the feed brings the next frame. `reading`: the log does. `held`: nothing leaves. `lagging`: the client takes nothing. */
type State =
  { readonly kind: 'live' | 'reading' | 'held' | 'lagging' | 'stopped' } | { readonly kind: 'retrying'; readonly cancel: () => void };

/**
 * A position in the log of a session that only moves forward: every frame is delivered once and in the order of `seq`, out of the feed while
 * the client keeps up, out of the log while it doesn't (G3). Whoever is behind holds nothing but this position (G4).
 */
export class LogCursor {
  private state: State = { kind: 'held' };
  private wantedSeq = 0;
  /** Where the feed was when the log had nothing more: it counts only from here. */
  private emptyAt = 0;
  private holds = 0;
  private isLost = false;
  /** Numbers the readings, so that one that was overtaken stops. */
  private reading = 0;

  private epoch = '';
  private seq = 0;

  constructor(
    private readonly owner: CursorOwner,
    private readonly clock: Clock,
  ) {}

  /** Begins at a position, with frames after it that were read already. */
  begin({ epoch, seq }: Position, replay?: Extract<ReplayRead, { kind: 'frames' }>): void {
    this.epoch = epoch;
    this.seq = seq;
    void this.read(replay);
  }

  /** Frames that the feed brings, or that a script answered. */
  offer(frames: readonly LoggedFrame[]): void {
    for (let index = 0; index < frames.length && this.state.kind === 'live'; index += 1) {
      const frame = frames[index]!;
      if (frame.seq <= this.seq) continue;
      if (frame.seq !== this.seq + 1) {
        this.owner.onGap();
        return void this.read();
      }
      if (!this.owner.deliverNow(frame)) return void this.read({ kind: 'frames', frames: frames.slice(index), openCalls: undefined });
      if (this.state.kind === 'live') this.seq = frame.seq;
    }
  }

  /** The log has at least this frame: deliver up to it, by reading the log if need be. */
  want(seq: number): void {
    this.wantedSeq = Math.max(this.wantedSeq, seq);
    this.wake();
  }

  /** Nothing is delivered until as many `release` calls. */
  hold(): void {
    this.holds += 1;
    if (this.state.kind === 'live') this.state = { kind: 'held' };
  }

  release(): void {
    this.holds -= 1;
    this.wake();
  }

  /** The position means nothing any more. */
  lose(): void {
    this.isLost = true;
    this.emptyAt = 0;
    this.wake();
  }

  /** The client takes nothing more; go on by {@link resume}. */
  lag(): void {
    if (this.state.kind !== 'stopped') this.enter({ kind: 'lagging' });
  }

  /** @param position where to go on, if not where the cursor stands; `lost`: where that can't be told */
  resume(from: 'lost' | { readonly seq: number }): void {
    if (this.state.kind !== 'lagging') return;
    if (from === 'lost') this.isLost = true;
    else this.seq = from.seq;
    void this.read();
  }

  /** Something became due. */
  wake(): void {
    if (this.state.kind === 'held') void this.read();
    if (this.state.kind === 'live' && (this.isLost || this.isBehind || this.owner.isSomethingDue)) void this.read();
  }

  stop(): void {
    this.enter({ kind: 'stopped' });
  }

  private enter(state: State): void {
    if (this.state.kind === 'retrying') this.state.cancel();
    this.state = state;
  }

  private get isBehind(): boolean {
    const head = this.owner.head > this.emptyAt ? this.owner.head : 0;
    return Math.max(head, this.wantedSeq) > this.seq;
  }

  /** Whether this reading goes on: nobody stopped, overtook or holds it. */
  private goesOn(reading: number): boolean {
    if (reading !== this.reading) return false;
    if (this.state.kind === 'reading' && this.holds > 0) this.state = { kind: 'held' };
    return this.state.kind === 'reading';
  }

  private async read(first?: Extract<ReplayRead, { kind: 'frames' }>): Promise<void> {
    this.enter({ kind: 'reading' });
    const reading = ++this.reading;
    let replay: ReplayRead | undefined = first;
    try {
      while (this.goesOn(reading)) {
        if (this.isLost || replay?.kind === 'gone') {
          const { epoch, seq } = await this.owner.resynchronise();
          if (!this.goesOn(reading)) return;
          this.epoch = epoch;
          this.seq = seq;
          this.isLost = false;
          replay = undefined;
        } else if (replay !== undefined) {
          await this.deliverAll(reading, replay.frames, replay.openCalls);
          replay = undefined;
        } else if (this.isBehind) {
          replay = await this.readOn();
        } else if (this.owner.isSomethingDue) {
          this.wantedSeq = Math.max(this.wantedSeq, (await this.owner.doDue(this.seq)) ?? 0);
        } else {
          this.state = { kind: 'live' };
        }
      }
    } catch (error) {
      if (reading === this.reading) this.fail(error);
    }
  }

  private async readOn(): Promise<ReplayRead> {
    const head = this.owner.head;
    const replay = await this.owner.readOn({ epoch: this.epoch, seq: this.seq });
    if (replay.kind === 'frames' && replay.frames.length === 0) {
      this.emptyAt = head;
      this.wantedSeq = 0;
    }
    return replay;
  }

  private async deliverAll(reading: number, frames: readonly LoggedFrame[], openCalls: ReadonlySet<string> | undefined): Promise<void> {
    for (const frame of frames) {
      if (frame.seq <= this.seq) continue;
      await this.owner.whenRoom();
      if (!this.goesOn(reading)) return;
      if (openCalls !== undefined || !this.owner.deliverNow(frame)) await this.owner.deliver(frame, openCalls);
      if (reading !== this.reading || this.state.kind === 'lagging') return;
      this.seq = frame.seq;
    }
  }

  private fail(error: unknown): void {
    if (this.state.kind === 'stopped' || this.state.kind === 'lagging' || !this.owner.onError(error)) return;
    this.enter({ kind: 'retrying', cancel: this.clock.after(RETRY_MS, () => void this.read()) });
  }
}
