import { encodeFrame } from '@codelab/protocol';

/** The fields of an `assistant_message` of the log. */
interface TextFrame {
  readonly type: 'assistant_message';
  readonly seq: number;
  readonly prev_seq?: number;
  readonly message_id: string;
  readonly token: string;
  readonly is_final: boolean;
}

const read = (text: string): TextFrame => JSON.parse(text) as TextFrame;

/**
 * Consecutive pieces of one message that wait in a queue, made into one piece: the new text is all of theirs, `seq` that of the last, and
 * `prev_seq` says where the first one began, so that the reader sees no gap (G3).
 */
export class CoalescedTokens {
  private frame: TextFrame;

  /** @param text an `assistant_message` frame of the log */
  constructor(text: string) {
    this.frame = read(text);
  }

  /** Takes a later frame in. `false`: it is of another message, or this one is complete; nothing changed. */
  append(text: string): boolean {
    const next = read(text);
    if (this.frame.is_final || next.message_id !== this.frame.message_id) return false;
    const prevSeq = this.frame.prev_seq ?? this.frame.seq - 1;
    this.frame = { ...this.frame, ...next, token: this.frame.token + next.token, prev_seq: prevSeq };
    return true;
  }

  get text(): string {
    return encodeFrame(this.frame);
  }
}
