import type { ServerFrameOf } from '@codelab/protocol';

/** What a frame's number says of it. `repeat`: handled before. `gap`: frames between it and the last one are missing (G3). */
export type Continuity = 'next' | 'repeat' | 'gap';

/** How far a client has read a session's log. */
export class LogPosition {
  private epoch: string | undefined;
  private seq = 0;

  /** The last frame that was handled. */
  get last(): number {
    return this.seq;
  }

  /** Where to go on reading; nothing before the first `welcome`. */
  get resume(): { readonly epoch: string; readonly seq: number } | undefined {
    return this.epoch === undefined ? undefined : { epoch: this.epoch, seq: this.seq };
  }

  /** Takes the position that a `welcome` gives. */
  restart(welcome: Pick<ServerFrameOf<'welcome'>, 'epoch' | 'seq' | 'recovered' | 'snapshot'>): void {
    this.seq = welcome.recovered ? (this.epoch === welcome.epoch ? this.seq : 0) : (welcome.snapshot?.seq ?? welcome.seq);
    this.epoch = welcome.epoch;
  }

  /** Judges a frame of the log, and counts it as handled if it is the next one. */
  judge(frame: { readonly seq: number; readonly prev_seq?: number }): Continuity {
    if (frame.seq <= this.seq) return 'repeat';
    if ((frame.prev_seq ?? frame.seq - 1) > this.seq) return 'gap';
    this.seq = frame.seq;
    return 'next';
  }
}
