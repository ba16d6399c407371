import type { Item, SessionView } from '@codelab/client/view';

/** What changed from one view to the next. Items keep their identity while they don't change, so most of a view need not travel. */
export interface ViewPatch {
  /** All of the view but its items. Absent: nothing of it changed. */
  readonly facts?: Omit<SessionView, 'items'>;
  /** `removed` items at `at` give way to `items`. */
  readonly splice?: { readonly at: number; readonly removed: number; readonly items: readonly Item[] };
  /** The text of the assistant's message at `at` grew by this. */
  readonly grown?: { readonly at: number; readonly text: string };
}

/** What leads from `before` to `after`; `undefined`: they are the same. */
export function diffView(before: SessionView, after: SessionView): ViewPatch | undefined {
  if (before === after) return undefined;
  const items = before.items === after.items ? undefined : diffItems(before.items, after.items);
  const facts = haveSameFacts(before, after) ? undefined : withoutItems(after);
  return facts === undefined && items === undefined ? undefined : { facts, ...items };
}

/** The view that a patch makes. */
export function patchView(view: SessionView, { facts, splice, grown }: ViewPatch): SessionView {
  let { items } = view;
  if (splice !== undefined) items = items.toSpliced(splice.at, splice.removed, ...splice.items);
  const item = grown && items[grown.at];
  if (grown !== undefined && item?.kind === 'assistant') items = items.with(grown.at, { ...item, text: item.text + grown.text });
  return { ...(facts ?? withoutItems(view)), items };
}

const withoutItems = ({ items: _, ...facts }: SessionView): Omit<SessionView, 'items'> => facts;

function haveSameFacts(before: SessionView, after: SessionView): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof SessionView>;
  names.delete('items');
  return [...names].every((name) => before[name] === after[name]);
}

function diffItems(before: readonly Item[], after: readonly Item[]): Pick<ViewPatch, 'splice' | 'grown'> | undefined {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) at += 1;
  let tail = 0;
  while (tail < shorter - at && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const [removed, items] = [before.length - at - tail, after.slice(at, after.length - tail)];
  if (removed === 0 && items.length === 0) return undefined;
  const text = removed === 1 && items.length === 1 ? grownText(before[at]!, items[0]!) : undefined;
  return text === undefined ? { splice: { at, removed, items } } : { grown: { at, text } };
}

/** What came to a message that only grew: it may be long, and grows twenty times a second. */
function grownText(before: Item, after: Item): string | undefined {
  if (before.kind !== 'assistant' || after.kind !== 'assistant' || !after.text.startsWith(before.text)) return undefined;
  const { text: _b, ...restBefore } = before;
  const { text: _a, ...restAfter } = after;
  return JSON.stringify(restBefore) === JSON.stringify(restAfter) ? after.text.slice(before.text.length) : undefined;
}
