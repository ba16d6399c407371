import { JsonText } from '@codelab/protocol';
import type { CallItem, Item, QueuedMessage, Todo, ViewAttachment, ViewImage } from './session-view.js';

type Fields = Readonly<Record<string, unknown>>;

/** An object out of a snapshot or of REST; what is none has no fields. */
export const toFields = (value: unknown): Fields => {
  const plain = value instanceof JsonText ? value.parse() : value;
  return typeof plain === 'object' && plain !== null ? (plain as Fields) : {};
};

/** A field as text; '' where it is neither text nor a number. */
export const textOf = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
};

/** What the task list shows: its uses are no rows of the conversation. */
const TODOS = 'todos';

/** A model's use of a tool of another vocabulary: the calls that are made for it come by themselves, and have ids of their own. */
const isUse = (call: Fields): boolean => typeof call.vocabulary === 'string';

/** The items of a conversation as the servers keep it, oldest first: objects of a snapshot, or of REST. What is not known is left out. */
export function readHistory(history: readonly unknown[]): readonly Item[] {
  const items: Item[] = [];
  const uses = new Map<string, CallItem>(); // not answered yet: their calls are what is open
  for (const entry of history.map(toFields)) {
    const content = textOf(entry, 'content');
    const messageId = textOf(entry, 'message_id');
    if (entry.role === 'user')
      items.push({ kind: 'user', messageId, content, state: 'accepted', attachments: readAttachments(entry.attachments) });
    else if (entry.role === 'note') {
      const id = `${textOf(entry, 'at_ms')} ${content.slice(0, 80)}`;
      items.push({ kind: 'notice', id, tone: 'info', text: content });
    } else if (entry.role === 'summary' || entry.role === 'clear' || entry.role === 'cut') items.push(toNotice(entry));
    else if (entry.role === 'tool') {
      const use = uses.get(textOf(entry, 'call_id'));
      if (use?.toolName === TODOS) continue;
      if (use !== undefined) items.push(use);
      answerCall(entry, content, items);
    } else if (entry.role === 'assistant') {
      if (content !== '') items.push({ kind: 'assistant', messageId, text: content, done: true, final: false, replaced: false });
      for (const call of (Array.isArray(entry.tool_calls) ? entry.tool_calls : []).map(toFields)) {
        if (isUse(call)) uses.set(textOf(call, 'call_id'), toOpenCall(call));
        else items.push(toOpenCall(call));
      }
    }
  }
  return items;
}

/** What the model is shown less of, for people, who see all of it. */
const toNotice = (entry: Fields): Item => {
  const said: Readonly<Record<string, string>> = {
    summary: `The model works with this summary of what stands above:\n${textOf(entry, 'content')}`,
    clear: 'The model sees nothing of what stands above.',
    cut: 'Long results above are left out of what the model sees.',
  };
  const role = textOf(entry, 'role');
  return { kind: 'notice', id: `${role} ${textOf(entry, 'at_ms')}`, tone: 'info', text: said[role] ?? '' };
};

const toOpenCall = (call: Fields): CallItem => ({
  kind: 'call',
  callId: textOf(call, 'call_id'),
  toolName: textOf(call, 'tool_name'),
  args: textOf(call, 'arguments') || '{}',
  argsSha256: '',
  progress: 'ready',
});

/** Lays a result over the call that it answers; without one, because that is older, it is a call by itself. */
function answerCall(entry: Fields, result: string, items: Item[]): void {
  const callId = textOf(entry, 'call_id');
  const index = items.findLastIndex((item) => item.kind === 'call' && item.callId === callId);
  const call = (items[index] ?? toOpenCall(entry)) as CallItem; // found as a call
  const args = typeof entry.edited_arguments === 'string' ? entry.edited_arguments : call.args;
  items.splice(index === -1 ? items.length : index, 1, {
    ...call,
    args,
    result,
    images: readImages(entry.images),
    ...toOutcome(entry.is_error === true, result),
  });
}

function readImages(images: unknown): readonly ViewImage[] {
  if (!Array.isArray(images)) return [];
  return images.map(toFields).flatMap(({ media_type: mediaType, bytes }) => {
    return typeof mediaType === 'string' && typeof bytes === 'number' ? [{ mediaType, bytes }] : [];
  });
}

/** A failed result is kept as the model reads it: `Error [CODE]: message`. */
function toOutcome(isError: boolean, content: string): Pick<CallItem, 'progress' | 'error' | 'feedback'> {
  if (!isError) return { progress: 'done' };
  const [, code, message = ''] = /^Error \[([A-Z_]+)\]: ([^]*)$/.exec(content) ?? [];
  if (code === undefined) return { progress: 'failed', error: { code: 'ERROR', message: content } };
  if (code === 'DENIED_BY_USER') return { progress: 'rejected', feedback: /They said: ([^]+)$/.exec(message)?.[1] };
  return { progress: code === 'CANCELLED' ? 'cancelled' : code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed', error: { code, message } };
}

/** What is shown of the files of a message; nothing for what is no such file. */
export function readAttachments(attachments: unknown): readonly ViewAttachment[] | undefined {
  if (!Array.isArray(attachments) || attachments.length === 0) return undefined;
  return attachments.map(toFields).flatMap(({ path, lines, content, media_type: type }) => {
    if (typeof path !== 'string') return [];
    const text = typeof content === 'string' ? content : undefined;
    const isImage = typeof type === 'string';
    return [
      {
        path,
        lines: typeof lines === 'string' ? lines : undefined,
        lineCount: text === undefined || isImage ? undefined : countLines(text),
        imageBytes: text === undefined || !isImage ? undefined : Math.floor((text.length * 3) / 4),
      },
    ];
  });
}

const countLines = (text: string): number => text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);

/** The messages that wait. */
export const readQueue = (queue: readonly unknown[]): readonly QueuedMessage[] =>
  queue.map(toFields).map((entry) => ({ messageId: textOf(entry, 'message_id'), content: textOf(entry, 'content') }));

const TODO_STATUS: Readonly<Record<string, Todo['status']>> = {
  in_progress: 'active',
  active: 'active',
  completed: 'done',
  done: 'done',
  cancelled: 'done',
};

/** The agent's task list. What has no content is left out. */
export const readTodos = (todos: readonly unknown[]): readonly Todo[] =>
  todos.map(toFields).flatMap((todo) => {
    const [content, status] = [textOf(todo, 'content'), textOf(todo, 'status')];
    if (content.trim() === '') return [];
    return [{ content, status: Object.hasOwn(TODO_STATUS, status) ? TODO_STATUS[status]! : 'open' }];
  });
