import type { Untimed } from './untimed.js';
import { readHistory, type SessionEvent, type SessionView } from '../view/index.js';
import type { SessionRecords } from './session-records.js';

/** Items of the conversation in which a message that has just begun a turn is found. */
const LATEST = 20;

/** In the place of a message of another window that this one may not read. */
const UNREADABLE = '(sent by another window)';

type Found = Untimed<Extract<SessionEvent, { kind: 'message_named' | 'message_found' }>>;

/** Frames only name messages: the text of those that another window sent is asked for. */
export class MessageFinder {
  constructor(
    private readonly records: SessionRecords,
    private readonly tell: (event: Found) => void,
  ) {}

  /** Tells the view of the messages that it doesn't show, by name at once and with their text when it has come. Never rejects. */
  async find(sessionId: string, ids: readonly string[], { items }: SessionView): Promise<void> {
    const missing = ids.filter((id) => !items.some((item) => item.kind === 'user' && item.messageId === id));
    if (missing.length === 0) return;
    for (const messageId of missing) this.tell({ kind: 'message_named', messageId });
    const latest = await this.records.history(sessionId, { limit: LATEST }).catch(() => ({ items: [] })); // a token may not be allowed to ask
    const found = readHistory(latest.items).filter((item) => item.kind === 'user');
    for (const messageId of missing) {
      const { content, attachments } = found.find((item) => item.messageId === messageId) ?? { content: UNREADABLE };
      this.tell({ kind: 'message_found', messageId, content, attachments });
    }
  }
}
