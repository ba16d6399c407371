import { spliceFields } from '@codelab/protocol';
import type { LoggedFrame } from '@codelab/bus';
import { withoutSeq } from '../delivery/encode-server-frame.js';
import type { Outbox } from '../outbox/outbox.js';
import type { GatewayStats } from '../stats.js';

/** Writes what a session says to one client. Where frames of the log are left out, the next one names the last that was shown (G3). */
export class SessionWriter {
  /** The last frame that the client knows of. */
  private shownSeq = 0;
  /** The same when it began. */
  private firstSeq = 0;
  private hasWritten = false;
  private kept: readonly LoggedFrame[] = [];

  /** @param isSeed the client knows no `prev_seq` */
  constructor(
    private readonly outbox: Outbox,
    private readonly stats: Pick<GatewayStats, 'framesSent'>,
    private readonly isSeed: boolean,
  ) {}

  /** Something of the session was sent. */
  get hasSent(): boolean {
    return this.hasWritten;
  }

  /** The client joins at the end of the log. */
  begin(seq: number): void {
    this.firstSeq = seq;
    this.shownSeq = seq;
  }

  /** The client knows the session up to here. @param seq where it began, if nothing has left since */
  resumeAfter(seq: number = this.firstSeq): void {
    this.shownSeq = seq;
    this.kept = [];
  }

  /** A frame of the log that would have the client run what another runs: it is told it once it has heard who executes. */
  keep(frame: LoggedFrame): void {
    this.kept = [...this.kept, frame];
  }

  /** The client has heard who executes. @param isExecutor it does: it is given its calls again as they are now */
  sayKept(isExecutor: boolean): void {
    const { kept } = this;
    this.kept = [];
    if (!isExecutor) for (const { head, text } of kept) this.say(head.type, withoutSeq(text));
  }

  /** A frame of the log, in the words that the client understands. */
  log({ head, seq, text: logged }: LoggedFrame, text: string): void {
    this.hasWritten = true;
    const { type } = head;
    this.stats.framesSent.add(type);
    // What a seed client is told in place of a frame (an error, a decided call) is none of the log: it has no number, and is no gap.
    if (this.isSeed && text !== logged) return void this.outbox.log({ type, seq, text, isStandIn: true });
    const isGap = this.shownSeq !== seq - 1;
    const outgoing = isGap ? spliceFields(text, { prev_seq: this.shownSeq }) : text;
    this.shownSeq = seq;
    this.outbox.log({ type, seq, text: outgoing });
  }

  /** A frame for this client alone. */
  say(type: string, text: string): void {
    this.hasWritten = true;
    this.stats.framesSent.add(type);
    this.outbox.answer(text);
  }
}
