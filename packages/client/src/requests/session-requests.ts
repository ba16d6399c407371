import type { Attachment, ErrorCode, MessageCommand, ServerFrameOf, WhenBusy } from '@codelab/protocol';
import { RefusedError } from '../client-errors.js';
import type { PendingRequests } from './pending-requests.js';
import { randomId } from './random-id.js';

/** Reads files that go with a message, each whole or so many of its lines. */
export type ReadAttachments = (files: readonly Pick<Attachment, 'path' | 'lines'>[]) => Promise<readonly Attachment[]>;

/** How a message is sent. */
export interface MessageOptions {
  /** The key that makes a repeat harmless; a new one without it. */
  readonly messageId?: string;
  readonly whenBusy?: WhenBusy;
  /** Files that go with it; those without content are read when the message is sent, which then fails if one can't be. */
  readonly attachments?: readonly Attachment[];
  readonly model?: string;
  readonly agent?: string;
  /** The message is for the service, not for the model. */
  readonly command?: MessageCommand;
  /** W3C trace context. */
  readonly traceparent?: string;
}

/** How a turn ended that somebody cancelled. `frame` is absent if it had ended before, unseen. */
export interface CancelOutcome {
  readonly turnId?: string;
  readonly frame?: ServerFrameOf<'turn_ended'>;
}

/** What a client asks of its session, beside decisions and results. A request is sent again until it is answered. */
export class SessionRequests {
  /** How often requests were sent again: once per connection, and whenever frames that may have answered them were skipped. */
  private beginnings = 0;

  constructor(
    private readonly pending: PendingRequests,
    private readonly readAttachments: ReadAttachments | undefined,
    private readonly isLive: () => boolean,
  ) {}

  /** A new connection is live, or one begins anew in its middle. */
  resend(): void {
    this.beginnings += 1;
    this.pending.resend();
  }

  async sendMessage(content: string, options: MessageOptions): Promise<ServerFrameOf<'message_accepted'>> {
    const { messageId: id = randomId(), whenBusy: when_busy, model, agent, command, traceparent } = options;
    const attachments = await this.readMissing(options.attachments ?? []);
    const answer = await this.pending.ask(
      { kind: 'message', id },
      {
        ...{ type: 'user_message', content, message_id: id, when_busy, model, agent, command, traceparent },
        attachments: attachments.length > 0 ? [...attachments] : undefined,
      },
    );
    return answer as ServerFrameOf<'message_accepted'>; // the only answer of a message: see match-answer
  }

  async cancel(id: string | undefined, queue: boolean | undefined): Promise<CancelOutcome> {
    const isLate = this.watchForReplays();
    try {
      const frame = await this.pending.ask({ kind: 'cancel', id }, { type: 'cancel', turn_id: id, queue: queue || undefined });
      const ended = frame as ServerFrameOf<'turn_ended'>; // the only answer of a cancel: see match-answer
      return { turnId: ended.turn_id, frame: ended };
    } catch (error) {
      if (id === undefined || !isLate(error, 'UNKNOWN_TURN')) throw error;
      return { turnId: id };
    }
  }

  async removeQueued(messageId: string): Promise<void> {
    const isLate = this.watchForReplays();
    try {
      await this.pending.ask({ kind: 'queue', id: messageId }, { type: 'queue_remove', message_id: messageId });
    } catch (error) {
      if (!isLate(error, 'UNKNOWN_MESSAGE')) throw error;
    }
  }

  async switchAgent(agent: string): Promise<void> {
    await this.pending.ask({ kind: 'agent' }, { type: 'switch_agent', agent });
  }

  /** Tells whether a refusal came because the request was sent more than once, and had its effect the first time. */
  private watchForReplays(): (error: unknown, code: ErrorCode) => boolean {
    const sentOn = this.isLive() ? this.beginnings : undefined;
    return (error, code) => error instanceof RefusedError && error.code === code && sentOn !== this.beginnings;
  }

  /** Reads the attachments that have no content, all at once and in their places. Without a reader they go as they are. */
  private async readMissing(attachments: readonly Attachment[]): Promise<readonly Attachment[]> {
    const missing = attachments.filter(({ content }) => content === undefined);
    if (this.readAttachments === undefined || missing.length === 0) return attachments;
    const contents = await this.readAttachments(missing.map(({ path, lines }) => ({ path, lines })));
    const found = new Map(missing.map((attachment, at) => [attachment, contents[at]]));
    return attachments.map((attachment) => found.get(attachment) ?? attachment);
  }
}
