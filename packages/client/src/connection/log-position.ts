import type { ClientFrameOf, ServerFrame, ServerFrameOf } from '@codelab/protocol';

/** What a frame's number says of it. `repeat`: handled before. `gap`: frames between it and the last one are missing (G3). */
export type Continuity = 'next' | 'repeat' | 'gap';

/** Where to go on reading; `frame` is absent where the client was shown the session up to there. */
export type Resumption = Omit<NonNullable<ClientFrameOf<'hello'>['resume']>, 'calls'>;

/** What is the same for everybody who is told a frame. */
export function nameOf(frame: ServerFrame): NonNullable<Resumption['frame']> {
  const { type, call_id, turn_id, status, outcome } = frame as unknown as NonNullable<Resumption['frame']>;
  return { type, call_id, turn_id, status, outcome };
}

/** How far a client has read a session's log. */
export class LogPosition {
  private epoch: string | undefined;
  private seq = 0;
  private frame: Resumption['frame'];

  /** The last frame that was handled. */
  get last(): number {
    return this.seq;
  }

  /** Where to go on reading; nothing before the first `welcome`. */
  get resume(): Resumption | undefined {
    return this.epoch === undefined ? undefined : { epoch: this.epoch, seq: this.seq, frame: this.frame };
  }

  /** Takes the position that a `welcome` gives. */
  restart(welcome: Pick<ServerFrameOf<'welcome'>, 'epoch' | 'seq' | 'recovered' | 'snapshot'>): void {
    const goesOn = welcome.recovered && this.epoch === welcome.epoch;
    if (!goesOn) this.frame = undefined;
    this.seq = goesOn ? this.seq : welcome.recovered ? 0 : (welcome.snapshot?.seq ?? welcome.seq);
    this.epoch = welcome.epoch;
  }

  /** Judges a frame of the log, and counts it as handled if it is the next one. @param name absent where its type is not known */
  judge(frame: { readonly seq: number; readonly prev_seq?: number }, name?: Resumption['frame']): Continuity {
    if (frame.seq <= this.seq) return 'repeat';
    if ((frame.prev_seq ?? frame.seq - 1) > this.seq) return 'gap';
    this.seq = frame.seq;
    this.frame = name;
    return 'next';
  }
}
