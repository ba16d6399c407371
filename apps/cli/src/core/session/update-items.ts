import type { CallItem, Item, NoticeItem, SessionView } from './session-view.js';
import { keyOf } from './session-view.js';

/** Changes the item with this key, if there is one. */
export function updateItem(view: SessionView, key: string, change: (item: Item) => Item): SessionView {
  const index = view.items.findLastIndex((item) => keyOf(item) === key);
  if (index === -1) return view;
  const before = view.items[index]!;
  const after = change(before);
  return after === before ? view : { ...view, items: view.items.with(index, after) };
}

/** Changes a call, if it is there. */
export const patchCall = (view: SessionView, callId: string, change: (call: CallItem) => CallItem): SessionView =>
  updateItem(view, `call:${callId}`, (item) => (item.kind === 'call' ? change(item) : item));

/** Changes the item with the key of `fresh`, or appends `fresh`. */
export function upsertItem<T extends Item>(view: SessionView, fresh: T, change: (item: T) => T): SessionView {
  const key = keyOf(fresh);
  if (!view.items.some((item) => keyOf(item) === key)) return { ...view, items: [...view.items, fresh] };
  return updateItem(view, key, (item) => change(item as T));
}

/** Appends something that people should know. */
export function addNotice(view: SessionView, tone: NoticeItem['tone'], text: string): SessionView {
  const notices = view.notices + 1;
  return { ...view, notices, items: [...view.items, { kind: 'notice', id: String(notices), tone, text }] };
}
