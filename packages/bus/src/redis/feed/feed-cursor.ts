import type { FeedEvent } from '../../session-feed.js';
import type { LoggedFrame } from '../../session-records.js';
import type { Replay } from '../../session-store.js';

/** A position in the life of a log. */
export interface Position {
  readonly epoch: string;
  readonly seq: number;
}

/** What the live channel said: frames from `seq` on, or none where the frame was too large to travel. */
export interface Announcement extends Position {
  readonly frames: readonly LoggedFrame[];
}

/**
 * One subscriber's way through the log. Frames that continue its position go out as they come; anything else makes it read the log. It reads
 * once at a time, and again while it hears of more than it has (G3).
 */
export class FeedCursor {
  private reading = false;
  private behind = false;
  private closed = false;

  constructor(
    private position: Position,
    private readonly replay: (position: Position) => Promise<Replay>,
    private readonly listener: (event: FeedEvent) => void,
  ) {}

  /** Takes what was announced. */
  hear({ epoch, seq, frames }: Announcement): void {
    if (this.closed) return;
    const last = seq + Math.max(frames.length, 1) - 1;
    if (epoch === this.position.epoch && last <= this.position.seq) return;
    const continues = epoch === this.position.epoch && seq <= this.position.seq + 1 && frames.length > 0;
    if (this.reading || !continues) {
      this.catchUp();
      return;
    }
    const logged = frames.filter((frame) => frame.seq > this.position.seq);
    this.position = { epoch, seq: last };
    this.listener({ kind: 'logged', epoch, frames: logged });
  }

  /** Takes what the store says of the log; `undefined`: the session is gone. */
  compare(store: Position | undefined): void {
    const { epoch, seq } = store ?? { epoch: '', seq: 0 };
    if (epoch !== this.position.epoch || seq !== this.position.seq) this.catchUp();
  }

  /** Passes on what is not of the log. */
  pass(event: FeedEvent): void {
    if (!this.closed) this.listener(event);
  }

  /** Reads the log from its position on. */
  catchUp(): void {
    this.behind = true;
    if (!this.reading && !this.closed) void this.read();
  }

  close(): void {
    this.closed = true;
  }

  private async read(): Promise<void> {
    this.reading = true;
    try {
      while (this.behind && !this.closed) {
        this.behind = false;
        this.take(await this.replay(this.position));
      }
    } catch {
      // Redis is away: the comparison after its return goes on from here.
    } finally {
      this.reading = false;
    }
  }

  private take(replay: Replay): void {
    if (this.closed) return;
    const { epoch, seq } = replay;
    if (replay.kind === 'gone') {
      if (epoch === this.position.epoch && seq === this.position.seq) return;
      this.position = { epoch, seq };
      this.listener({ kind: 'reset', epoch, seq });
    } else if (replay.frames.length > 0) {
      this.position = { epoch, seq };
      this.listener({ kind: 'logged', epoch, frames: replay.frames });
    }
  }
}
