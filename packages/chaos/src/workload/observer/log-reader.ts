import type { ChaosFrame } from '../../recording/chaos-event.js';

/** Where a reader stands in the log of a session. */
export interface LogPlace {
  readonly epoch: string;
  readonly seq: number;
  /** What that frame was; absent where a snapshot stood for it. */
  readonly frame?: object;
}

/** What a frame is to a reader: docs/protocol/connecting.md#seq-gaps-epochs. */
export type Reading = 'begin' | 'next' | 'repeat' | 'gap' | 'unnumbered';

/** Reads the numbers of one observer's frames, over all of its connections. */
export class LogReader {
  place: LogPlace | undefined;

  read(frame: ChaosFrame): Reading {
    if (frame.type === 'welcome') {
      const { epoch, seq, recovered } = frame as unknown as { epoch: string; seq: number; recovered: boolean };
      this.place = recovered ? { seq: 0, ...this.place, epoch } : { epoch, seq };
      return 'begin';
    }
    const { seq, prev_seq: previous } = frame as { seq?: number; prev_seq?: number };
    if (seq === undefined || this.place === undefined) return 'unnumbered';
    if (seq <= this.place.seq) return 'repeat';
    if ((previous ?? seq - 1) > this.place.seq) return 'gap';
    this.place = { ...this.place, seq, frame: nameOf(frame) };
    return 'next';
  }
}

const nameOf = ({ type, ...fields }: ChaosFrame): object => {
  const [call_id, turn_id, status, outcome] = ['call_id', 'turn_id', 'status', 'outcome'].map((name) => fields[name]);
  return { type, call_id, turn_id, status, outcome };
};
