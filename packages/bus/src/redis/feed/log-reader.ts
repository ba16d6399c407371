import type { LoggedFrame } from '../../session-records.js';
import type { Position, SessionStream, StreamEvent } from '../../session-stream.js';
import type { Replay } from '../../session-store.js';

/** Announced frames that wait for a reader; one that is further behind reads the log. */
const MAX_WAITING_FRAMES = 64;

/** What the live channel said: frames from `seq` on, or none where the frame was too large to travel. */
export interface Announcement extends Position {
  readonly frames: readonly LoggedFrame[];
  /** The head of the last one as it is stored. */
  readonly lastHead?: string;
}

/** Where a reader reads. */
export interface LogSource {
  replay(position: Position): Promise<Replay>;
  /** The reader is closed. */
  leave(reader: LogReader): void;
}

/** Stands for the epoch where it is announced that the session was deleted. */
export const REMOVED = 'removed';

const NONE: readonly LoggedFrame[] = [];

/** A {@link SessionStream} over announcements and a log. */
export class LogReader implements SessionStream {
  listener: SessionStream['listener'] = undefined;
  /** Frames that follow the position, as announced. */
  private waiting = NONE;
  /** The log has something that does not follow what waits. */
  private isBehind = true;
  /** How far the log is, as far as was heard. */
  private known: Position | undefined = undefined;
  /** The epoch in which somebody announced that the session was deleted. */
  private removedEpoch: string | undefined = undefined;
  private isWoken = false;
  private isClosed = false;
  private resume: (() => void) | undefined = undefined;

  constructor(
    private position: Position,
    private readonly source: LogSource,
  ) {}

  get wasRemoved(): boolean {
    return this.removedEpoch !== undefined;
  }

  get hasMore(): boolean {
    return this.waiting.length > 0 || this.isBehind || this.isClosed;
  }

  async next(): Promise<StreamEvent> {
    for (;;) {
      if (this.isClosed) return { kind: 'closed' };
      if (this.isWoken) {
        this.isWoken = false;
        return { kind: 'woken' };
      }
      if (this.waiting.length > 0) return this.take();
      if (this.isBehind) {
        const event = await this.read().catch(() => undefined);
        if (event === undefined) await this.news(); // Redis is away: the comparison after its return goes on from here
        else return event;
      } else {
        await this.news();
      }
    }
  }

  async read(): Promise<StreamEvent> {
    const from = this.position;
    this.waiting = NONE;
    this.isBehind = false;
    try {
      const replay = await this.source.replay(from);
      if (this.isClosed) return { kind: 'closed' };
      if (from !== this.position) return { kind: 'woken' }; // it went on elsewhere meanwhile
      const { epoch, seq } = replay;
      if (replay.kind === 'gone' && epoch === from.epoch && seq === from.seq) return { kind: 'logged', frames: [], fromLog: true };
      this.moveTo({ epoch, seq });
      return replay.kind === 'gone' ? { kind: 'reset', epoch, seq } : { kind: 'logged', frames: replay.frames, fromLog: true };
    } catch (error) {
      this.isBehind = true;
      throw error;
    }
  }

  /** Takes what was announced. */
  hear({ epoch, seq, frames }: Announcement): void {
    const end = this.waiting.at(-1)?.seq ?? this.position.seq;
    const last = seq + Math.max(frames.length, 1) - 1;
    this.note({ epoch, seq: last });
    if (epoch === REMOVED) this.removedEpoch = this.position.epoch;
    else this.isThere(epoch);
    if (epoch === this.position.epoch && last <= end) return;
    const follows = epoch === this.position.epoch && seq <= end + 1 && frames.length > 0;
    if (!follows || this.isBehind || this.waiting.length + frames.length > MAX_WAITING_FRAMES) this.isBehind = true;
    else this.waiting = this.waiting.concat(seq === end + 1 ? frames : frames.filter((frame) => frame.seq > end));
    this.goOn();
  }

  /** Takes what the store says of the log; `undefined`: the session is gone. */
  compare(store: Position | undefined): void {
    const { epoch, seq } = store ?? { epoch: '', seq: 0 };
    if (store !== undefined) this.isThere(epoch);
    this.note({ epoch, seq });
    if (!this.isBehind && epoch === this.position.epoch && seq === (this.waiting.at(-1)?.seq ?? this.position.seq)) return;
    this.expectMore();
  }

  offer(frame: LoggedFrame): void {
    this.hear({ epoch: this.position.epoch, seq: frame.seq, frames: [frame] });
  }

  expectMore(): void {
    this.isBehind = true;
    this.goOn();
  }

  seek({ epoch, seq }: Position): void {
    const position = { epoch, seq };
    this.position = position;
    this.waiting = NONE;
    this.isBehind = this.known !== undefined && (this.known.epoch !== position.epoch || this.known.seq > position.seq);
    this.goOn();
  }

  wake(): void {
    this.isWoken = true;
    this.goOn();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.source.leave(this);
    this.goOn();
  }

  private take(): StreamEvent {
    const frames = this.waiting;
    this.waiting = NONE;
    this.position = { epoch: this.position.epoch, seq: frames.at(-1)!.seq };
    return { kind: 'logged', frames, fromLog: false };
  }

  /** The log was read up to here; what was announced meanwhile may follow it, or be part of it. */
  private moveTo(position: Position): void {
    const rest = this.waiting.filter(({ seq }) => seq > position.seq);
    const follows = position.epoch === this.position.epoch && rest[0]?.seq === position.seq + 1;
    this.waiting = follows ? rest : NONE;
    if (rest.length > 0 && !follows) this.isBehind = true;
    this.position = position;
    this.note(position);
  }

  private note(log: Position): void {
    if (this.known?.epoch === log.epoch && this.known.seq >= log.seq) return;
    const isHere = this.position.epoch === log.epoch && this.position.seq === log.seq;
    this.known = isHere ? this.position : log;
  }

  /** Begun anew in another epoch, a session is not the one that was deleted; in the same one it was so before, and the word of it came later. */
  private isThere(epoch: string): void {
    if (epoch !== this.removedEpoch) this.removedEpoch = undefined;
  }

  private news(): Promise<void> {
    return new Promise((resolve) => (this.resume = resolve));
  }

  private goOn(): void {
    const { resume } = this;
    this.resume = undefined;
    resume?.();
    this.listener?.onNews();
  }
}
