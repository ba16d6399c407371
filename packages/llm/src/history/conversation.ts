import { Growth } from '../canonical/growth.js';
import type { Message } from '../canonical/message.js';
import { type HistoryItem, isViewItem } from './history-item.js';
import { historyToMessages, type RewriteCall } from './history-to-messages.js';

/**
 * The conversation of a session from one of its requests to the next: of a history that goes on, only the items behind those that are known
 * are read. Items that change what was said before, such as a second result of a call, have all of it said anew.
 */
export class Conversation {
  /** What others made of the messages. */
  growth = new Growth();
  private messages: Message[];
  private items = 0;
  /** Ids of the calls and results that were read. */
  private readonly ids = new Set<string>();
  private turnId: string | undefined;
  private hasThoughts = false;
  private hasImages = false;

  /**
   * @param beginning what comes before the history, such as the system prompt
   * @param toModelName as for `historyToMessages`
   * @param rewrite the same
   */
  constructor(
    private readonly beginning: readonly Message[],
    private readonly toModelName: (canonical: string) => string,
    private readonly rewrite?: RewriteCall,
  ) {
    this.messages = [...beginning];
  }

  /** The messages for a history, which begins with that of the call before. */
  say(history: readonly HistoryItem[]): readonly Message[] {
    const added = history.slice(this.items);
    if (this.items > 0 && this.changesWhatWasSaid(added)) {
      this.forget();
      return this.say(history);
    }
    for (const message of historyToMessages(added, this.toModelName, undefined, this.rewrite)) this.messages.push(message);
    for (const item of added) this.note(item);
    this.items = history.length;
    return this.messages.slice();
  }

  private forget(): void {
    this.growth = new Growth();
    this.messages = [...this.beginning];
    this.items = 0;
    this.ids.clear();
    this.turnId = undefined;
    this.hasThoughts = this.hasImages = false;
  }

  private changesWhatWasSaid(added: readonly HistoryItem[]): boolean {
    return added.some((item) => {
      if (isViewItem(item)) return true;
      if (item.role === 'note') return false;
      if (this.hasThoughts && item.turn_id !== this.turnId) return true; // those of older turns are left out
      if (item.role === 'user') return this.hasImages && item.attachments !== undefined; // the latest images count
      return idsOf(item).some((id) => this.ids.has(id));
    });
  }

  private note(item: HistoryItem): void {
    if (item.role === 'note' || isViewItem(item)) return;
    this.turnId = item.turn_id;
    if (item.role === 'user') this.hasImages ||= item.attachments !== undefined;
    else for (const id of idsOf(item)) this.ids.add(id);
    if (item.role === 'assistant') this.hasThoughts ||= item.thinking !== undefined;
  }
}

const idsOf = (item: Extract<HistoryItem, { role: 'assistant' | 'tool' }>): readonly string[] =>
  item.role === 'tool' ? [item.call_id] : item.tool_calls.map(({ call_id }) => call_id);
