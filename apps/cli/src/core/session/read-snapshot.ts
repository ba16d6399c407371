import { JsonText } from '@codelab/protocol';
import type { ServerFrameOf, Snapshot } from '@codelab/protocol';
import { readChips } from '../mentions/attachment-chip.js';
import type { CallItem, Item, QueuedMessage, SessionView } from './session-view.js';
import { keyOf } from './session-view.js';
import { readTodos } from './todo.js';
import { toCallItem } from './to-call-item.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Puts a snapshot into the view: what it tells of the conversation is laid over what is shown already, so that nothing appears twice and
 * nothing that a person has seen goes away.
 */
export function readSnapshot(view: SessionView, snapshot: Snapshot, atMs: number): SessionView {
  const history = readHistory(snapshot.history);
  const open = snapshot.open_calls.map((call) => toCallItem(toFields(call) as unknown as ServerFrameOf<'tool_call'>, atMs));
  const partial: readonly Item[] = snapshot.partial
    ? [
        {
          kind: 'assistant',
          messageId: snapshot.partial.message_id,
          text: snapshot.partial.text,
          done: false,
          final: false,
          replaced: false,
        },
      ]
    : [];
  const turnId = textOf(snapshot.turn ?? {}, 'turn_id');
  const running = view.turn?.turnId === turnId ? view.turn : { turnId, startedAtMs: atMs, cancelling: false };
  return {
    ...view,
    items: layOver(view.items, [...history, ...partial, ...open]),
    queue: readQueue(snapshot.queue),
    todos: readTodos(snapshot.todos.map(toFields)),
    turn: turnId === '' ? undefined : running,
    activity: turnId === '' ? 'idle' : 'thinking',
  };
}

/** The items of a conversation as the servers keep it: objects of a snapshot, or of REST. */
export function readHistory(history: readonly unknown[]): readonly Item[] {
  const items: Item[] = [];
  for (const [index, entry] of history.entries()) readEntry(toFields(entry), index, items);
  return items;
}

/** The messages that wait. */
export const readQueue = (queue: readonly unknown[]): readonly QueuedMessage[] =>
  queue.map(toFields).map((entry) => ({ messageId: textOf(entry, 'message_id'), content: textOf(entry, 'content') }));

function readEntry(entry: Fields, index: number, items: Item[]): void {
  const content = textOf(entry, 'content');
  const messageId = textOf(entry, 'message_id') || `history-${index}`;
  const chips = readChips(entry.attachments);
  const attachments = chips.length === 0 ? {} : { attachments: chips };
  if (entry.role === 'user') items.push({ kind: 'user', messageId, content, state: 'accepted', ...attachments });
  if (entry.role === 'note') items.push({ kind: 'notice', id: `note-${index}-${textOf(entry, 'at_ms')}`, tone: 'info', text: content });
  if (entry.role === 'tool') answerCall(entry, content, items);
  if (entry.role !== 'assistant') return;
  if (content !== '') items.push({ kind: 'assistant', messageId, text: content, done: true, final: false, replaced: false });
  const calls = Array.isArray(entry.tool_calls) ? entry.tool_calls.map(toFields) : [];
  for (const call of calls) {
    items.push({
      kind: 'call',
      callId: textOf(call, 'call_id'),
      toolName: textOf(call, 'tool_name'),
      args: textOf(call, 'arguments') || '{}',
      argsSha256: '',
      progress: 'ready',
    });
  }
}

function answerCall(entry: Fields, content: string, items: Item[]): void {
  const callId = textOf(entry, 'call_id');
  const index = items.findLastIndex((item) => item.kind === 'call' && item.callId === callId);
  const base =
    index === -1
      ? { kind: 'call' as const, callId, toolName: textOf(entry, 'tool_name'), args: '{}', argsSha256: '' }
      : (items[index] as CallItem);
  const edited = typeof entry.edited_arguments === 'string' ? { args: entry.edited_arguments } : {};
  const answered: CallItem = { ...base, ...edited, ...toOutcome(entry.is_error === true, content) };
  if (index === -1) items.push(answered);
  else items[index] = answered;
}

/** A failed result is kept as the model reads it: `Error [CODE]: message`. */
function toOutcome(isError: boolean, content: string): Pick<CallItem, 'progress' | 'error' | 'feedback'> {
  const error = isError ? /^Error \[([A-Z_]+)\]: ([^]*)$/.exec(content) : null;
  if (!isError) return { progress: 'done' };
  if (!error) return { progress: 'failed', error: { code: 'ERROR', message: content } };
  const [, code, message] = error as unknown as [string, string, string];
  if (code === 'DENIED_BY_USER') return { progress: 'rejected', ...wordsOfUser(message) };
  const progress = code === 'CANCELLED' ? 'cancelled' : code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed';
  return { progress, error: { code, message } };
}

/** What the user said, out of what the model was told about it. */
function wordsOfUser(message: string): { readonly feedback?: string } {
  const words = /They said: ([^]+)$/.exec(message)?.[1];
  return words === undefined ? {} : { feedback: words };
}

function layOver(shown: readonly Item[], told: readonly Item[]): readonly Item[] {
  const items = [...shown];
  for (const item of told) {
    const index = items.findIndex((other) => keyOf(other) === keyOf(item));
    if (index === -1) items.push(item);
    else items[index] = merge(items[index]!, item);
  }
  return items;
}

function merge(shown: Item, told: Item): Item {
  if (shown.kind === 'assistant' && told.kind === 'assistant') return { ...told, final: shown.final, replaced: shown.replaced };
  if (shown.kind === 'call' && told.kind === 'call') {
    const known = { ...shown, ...told, argsSha256: told.argsSha256 || shown.argsSha256 };
    const behind = told.progress === 'ready' && shown.progress !== 'waiting';
    return behind ? { ...known, progress: shown.progress } : known;
  }
  return shown.kind === 'user' && told.kind === 'user' ? { ...shown, state: 'accepted' } : shown;
}

const toFields = (value: unknown): Fields => {
  const plain = value instanceof JsonText ? value.parse() : value;
  return typeof plain === 'object' && plain !== null ? (plain as Fields) : {};
};

const textOf = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
};
