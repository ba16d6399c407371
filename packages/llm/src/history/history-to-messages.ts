import type { AssistantItem, HistoryItem, HistoryToolCall, SaidItem, SummaryItem, ToolItem } from './history-item.js';
import type { ImagePart, Message, Part, ToolCallPart } from '../canonical/message.js';
import { pickImages, userParts } from './user-parts.js';
import { shownItems } from './shown-items.js';
import { toProviderCallId } from '../names/provider-call-id.js';

/** Begins a note, so that a model can tell it from what the user said. */
export const NOTE_PREFIX = 'Note from CodeLab, not from the user: ';

/** Stands before a summary. */
const SUMMARY_PREFIX = `${NOTE_PREFIX}The conversation before this point was left out to make room for what comes. This is what happened in it:`;
const SUMMARY_SUFFIX = 'Go on from here. Files may have changed since you read them: what you want to rely on or change, read again first.';

/** What a model reads where no result was recorded (R2: an unknown outcome is reported as unknown). */
const NO_RESULT =
  'Error [OUTCOME_UNKNOWN]: No result of this call was recorded. It may or may not have taken effect: check before you repeat it.';

/**
 * Turns a session's history into the conversation sent to a model.
 *
 * Guarantees (R5): every tool call has exactly one result, in the message right after it and in the order of the calls. A call
 * without a result gets an `OUTCOME_UNKNOWN` one; of several results the last counts; a result without a call and a second use of a
 * call id are left out. Thoughts go with the answers of the turn that runs, before everything else in them, as providers want them in a
 * tool loop; those of older turns are left out. Arguments that a human edited replace those the model wrote. Ids are those that the provider
 * gave, which it may know by their form; ours stand only where it gave none, or one twice in an answer. What was cut, summarised or cleared is
 * shown so (docs/specification/context.md).
 *
 * @param toModelName gives the model's name of a canonical tool (`git.diff` → `git_diff`).
 * @param rewrite a call in the words that the model is offered, where it was made in others
 * @param ours the `call_id`s of calls that somebody else knows by these: they keep them, the provider's stands beside
 */
export function historyToMessages(
  history: readonly HistoryItem[],
  toModelName: (canonical: string) => string,
  ours: ReadonlySet<string> = new Set(),
  rewrite?: RewriteCall,
): Message[] {
  const { summary, items } = shownItems(history, toModelName);
  const results = lastResults(items);
  const used = new Set<string>();
  const images = pickImages(items);
  const turnId = items.findLast((item) => item.role !== 'note')?.turn_id;
  const messages: Message[] = summary === undefined ? [] : [summaryMessage(summary)];
  for (const item of items) {
    switch (item.role) {
      case 'user':
        messages.push({ role: 'user', parts: userParts(item, images) });
        break;
      case 'note':
        messages.push({ role: 'user', parts: [{ kind: 'text', text: NOTE_PREFIX + item.content }] });
        break;
      case 'assistant':
        messages.push(...assistantMessages(item, { results, used, ours, toModelName, rewrite, isRunning: item.turn_id === turnId }));
        break;
      case 'tool':
        break; // goes in with its call
    }
  }
  return messages;
}

/** Says a call in other words; nothing where it stays as it is. */
export type RewriteCall = (call: HistoryToolCall) => { readonly name: string; readonly arguments: string } | undefined;

const toImages = (item: ToolItem | undefined): readonly ImagePart[] | undefined =>
  item?.images?.map(({ media_type, data }) => ({ kind: 'image', source: { kind: 'base64', mediaType: media_type, data } }));

const summaryMessage = ({ content }: SummaryItem): Message => ({
  role: 'user',
  parts: [{ kind: 'text', text: `${SUMMARY_PREFIX}\n\n<summary>\n${content}\n</summary>\n\n${SUMMARY_SUFFIX}` }],
});

/** A true result that came after a synthetic one, before any model read that, stands further back and counts instead (R2). */
function lastResults(items: readonly SaidItem[]): Map<string, ToolItem> {
  const results = new Map<string, ToolItem>();
  for (const item of items) if (item.role === 'tool') results.set(item.call_id, item);
  return results;
}

function assistantMessages(
  item: AssistantItem,
  context: {
    results: ReadonlyMap<string, ToolItem>;
    used: Set<string>;
    ours: ReadonlySet<string>;
    toModelName: (canonical: string) => string;
    rewrite: RewriteCall | undefined;
    isRunning: boolean;
  },
): readonly Message[] {
  const calls = item.tool_calls.filter(({ call_id }) => !context.used.has(call_id) && context.used.add(call_id));
  const said: Part[] = item.content.trim() === '' ? [] : [{ kind: 'text', text: item.content }];
  const thoughts = context.isRunning && calls.length > 0 ? (item.thinking ?? []) : [];
  const parts: Part[] = [...thoughts, ...said];
  const results: Message[] = [];
  const given = new Set<string>();
  for (const call of calls) {
    const result = context.results.get(call.call_id);
    const { provider_id: own = '' } = call;
    const providerId = own === '' || given.has(own) ? undefined : own;
    if (providerId !== undefined) given.add(providerId);
    const isOurs = context.ours.has(call.call_id);
    const id = isOurs || providerId === undefined ? toProviderCallId(call.call_id) : providerId;
    const part: ToolCallPart = {
      kind: 'tool_call',
      id,
      ...(context.rewrite?.(call) ?? {
        name: call.name ?? context.toModelName(call.tool_name),
        arguments: result?.edited_arguments ?? call.arguments,
      }),
      ...(isOurs && providerId !== undefined && { providerId }),
    };
    parts.push(part);
    const [content, isError] = result ? [result.content, result.is_error] : [NO_RESULT, true];
    results.push({ role: 'tool', parts: [{ kind: 'tool_result', id, content, isError, images: toImages(result) }] });
  }
  return parts.length === 0 ? [] : [{ role: 'assistant', parts }, ...results];
}
