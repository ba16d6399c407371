import type { HistoryToolCall, SaidItem } from '../history/history-item.js';
import { headAndTail, subjectOf } from '../history/left-out.js';

/** How many characters are told of each kind of item. */
export interface Lengths {
  readonly said: number;
  readonly arguments: number;
  readonly result: number;
}

/** What is said of a conversation to whoever sums it up: one text for each item, with long ones cut. */
export function tellItems(items: readonly SaidItem[], lengths: Lengths): readonly string[] {
  const calls = new Map<string, HistoryToolCall>();
  return items.map((item) => {
    switch (item.role) {
      case 'user': {
        const files = (item.attachments ?? []).map(({ path }) => path);
        return `## The user\n${headAndTail(item.content, lengths.said)}${files.length === 0 ? '' : `\nAttached: ${files.join(', ')}`}`;
      }
      case 'note':
        return `## A note of the system\n${headAndTail(item.content, lengths.result)}`;
      case 'assistant': {
        const asked = item.tool_calls.map((call) => {
          calls.set(call.call_id, call);
          return `\nCalls ${nameOf(call)} ${headAndTail(call.arguments, lengths.arguments)}`;
        });
        return `## The assistant\n${headAndTail(item.content, lengths.said)}${asked.join('')}`;
      }
      case 'tool': {
        const call = calls.get(item.call_id);
        const how = item.is_error ? 'Error' : 'Result';
        return `## ${how} of ${call === undefined ? item.tool_name : nameOf(call)} ${subjectOf(call?.arguments ?? '')}\n${headAndTail(item.content, lengths.result)}`;
      }
    }
  });
}

/** What the model called: its arguments are of that tool, and not of the canonical one that stands for it. */
export const nameOf = (call: Pick<HistoryToolCall, 'name' | 'tool_name'>): string => call.name ?? call.tool_name;
