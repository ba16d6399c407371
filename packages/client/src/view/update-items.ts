import {
  isSettled,
  keyOf,
  type AssistantItem,
  type CallItem,
  type Item,
  type NoticeItem,
  type SessionView,
  type ThoughtItem,
} from './session-view.js';

/** Items that a view keeps; REST has the older ones. */
const MAX_ITEMS = 1_000;

/** Of so many of the last items the view keeps what may be large, too: previews and results. */
const DETAILED_ITEMS = 100;

/** Changes the item with this key, if there is one. */
export function updateItem(view: SessionView, key: string, change: (item: Item) => Item): SessionView {
  const index = view.items.findLastIndex((item) => keyOf(item) === key);
  const before = view.items[index];
  if (before === undefined) return view;
  const after = change(before);
  return after === before ? view : { ...view, items: view.items.with(index, after) };
}

/** Changes a call, if it is there. */
export const updateCall = (view: SessionView, callId: string, change: (call: CallItem) => CallItem): SessionView =>
  updateItem(view, `call:${callId}`, (item) => (item.kind === 'call' ? change(item) : item));

/** Changes a call that is there and has not come to its end. */
export const updateOpenCall = (view: SessionView, callId: string, change: (call: CallItem) => CallItem): SessionView =>
  updateCall(view, callId, (call) => (isSettled(call) ? call : change(call)));

/** Changes the item with the key of `fresh`, or appends `fresh`. */
export function upsertItem<T extends Item>(view: SessionView, fresh: T, change: (item: T) => T): SessionView {
  const key = keyOf(fresh);
  const index = view.items.findLastIndex((item) => keyOf(item) === key); // what grows is near the end
  if (index === -1) return appendItem(view, fresh);
  const before = view.items[index] as T; // keys tell kinds apart
  const after = change(before);
  return after === before ? view : { ...view, items: view.items.with(index, after) };
}

/** Adds an item at the end. The view stays as long as it was where it is full: the oldest item goes. */
export function appendItem(view: SessionView, item: Item): SessionView {
  const { length } = view.items;
  const items = [...view.items, item].slice(-Math.max(MAX_ITEMS, length));
  const old = items.length - 1 - DETAILED_ITEMS;
  const aged = items[old];
  if (aged?.kind === 'call' && isSettled(aged)) items[old] = { ...aged, preview: undefined, result: undefined, output: undefined };
  return { ...view, items, historyCursor: items.length > length ? view.historyCursor : undefined };
}

/** Adds something that people should know. */
export function addNotice(view: SessionView, tone: NoticeItem['tone'], text: string): SessionView {
  const notices = view.notices + 1;
  return appendItem({ ...view, notices }, { kind: 'notice', id: String(notices), tone, text });
}

/** Ends the messages and thoughts that still grow: each is over as soon as something else follows it. */
export function finishMessages(view: SessionView, except?: string): SessionView {
  const isOpen = (item: Item): item is AssistantItem | ThoughtItem =>
    item.kind === 'thought' ? !item.done : item.kind === 'assistant' && !item.done && item.messageId !== except;
  if (!view.items.some(isOpen)) return view;
  return { ...view, items: view.items.map((item) => (isOpen(item) ? { ...item, done: true } : item)) };
}
