import type { HistoryItem, SaidItem, UserItem } from '../history/history-item.js';
import { shownItems } from '../history/shown-items.js';
import { itemTokens } from './item-tokens.js';

/** What is replaced by a summary. */
export interface CompactionPlan {
  /** Items before this one are. */
  readonly upTo: number;
  /** The summary before. */
  readonly before?: string;
  /** What has been said and done since, without what stays. */
  readonly items: readonly SaidItem[];
  /** What the user has said since the conversation began or was cleared, without what stays. */
  readonly said: readonly UserItem[];
  /** The latest that stays, for who wants to see what the model still has. */
  readonly kept: readonly SaidItem[];
}

/**
 * What of a history a summary replaces: all but the last answers with their results, and the messages between, that have at most `keep` tokens.
 * `undefined` where nothing is left to replace. An answer and its results stay or go together (R5).
 */
export function planCompaction(history: readonly HistoryItem[], keep: number): CompactionPlan | undefined {
  const { from, summary } = shownItems(history, (tool) => tool);
  const first = Math.max(from, 0);
  let upTo = history.length;
  let tokens = 0;
  for (let place = history.length - 1; place >= first; place -= 1) {
    const item = history[place]!;
    if (item.role === 'cut' || item.role === 'summary' || item.role === 'clear') continue;
    tokens += itemTokens(item);
    if (tokens > keep) break;
    if (item.role !== 'tool') upTo = place;
  }
  const items = saidOf(history.slice(first, upTo));
  if (items.length === 0) return undefined;
  const begin = history.findLastIndex(({ role }) => role === 'clear') + 1;
  const said = history.slice(begin, upTo).filter((item) => item.role === 'user');
  return { upTo, before: summary?.content, items, said, kept: saidOf(history.slice(upTo)) };
}

const saidOf = (items: readonly HistoryItem[]): readonly SaidItem[] =>
  items.filter((item): item is SaidItem => item.role !== 'cut' && item.role !== 'summary' && item.role !== 'clear');
