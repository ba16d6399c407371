import { foldTasks, keyOf, type CallItem, type Item } from '@codelab/client/view';

/** One entry of the timeline. The same object as before while nothing of it has changed. */
export interface Row {
  readonly key: string;
  readonly item: Item;
  /** It belongs to the row above: less air between them. */
  readonly isJoined: boolean;
  /** Of a call of `task`: what its agent did, oldest first. */
  readonly steps: readonly CallItem[];
}

/** All rows. `keys` is the same array as before while no row came, went or moved. */
export interface Rows {
  readonly rows: readonly Row[];
  readonly keys: readonly string[];
}

export const NO_ROWS: Rows = { rows: [], keys: [] };
const NO_STEPS: readonly CallItem[] = [];

/** The rows of a session's items. Those of `before` are kept where they still hold, so that what grows draws one row anew. */
export function toRows(items: readonly Item[], before: Rows): Rows {
  const shown = foldTasks(items).filter(isShown);
  const steps = stepsOf(items);
  const known = before.rows;
  let isSame = shown.length === known.length;
  const rows = shown.map((item, index): Row => {
    const isJoined = isPart(item) && isPart(shown[index - 1]);
    const mine = steps.get(item) ?? NO_STEPS;
    const old = known[index];
    if (old?.item === item && old.isJoined === isJoined && isEqual(old.steps, mine)) return old;
    const key = old !== undefined && isGrown(old.item, item) ? old.key : keyOf(item);
    if (old?.key !== key) isSame = false;
    return { key, item, isJoined, steps: old !== undefined && isEqual(old.steps, mine) ? old.steps : mine };
  });
  if (isSame && rows.every((row, index) => row === known[index])) return before;
  return { rows, keys: isSame ? before.keys : rows.map(({ key }) => key) };
}

/** What says nothing has no row: a message without text, a turn that ended well without a word about its cost. */
function isShown(item: Item): boolean {
  if (item.kind === 'assistant') return item.text.trim() !== '';
  if (item.kind === 'notice') return item.text !== '';
  return true;
}

/** Calls and thoughts between two messages stand close together. */
const isPart = (item: Item | undefined): boolean =>
  (item?.kind === 'call' && item.progress !== 'waiting') || item?.kind === 'thought' || item?.kind === 'turn_end';

/** The same item a moment later, told without making its key. */
function isGrown(old: Item, item: Item): boolean {
  if (old.kind === 'assistant' && item.kind === 'assistant') return old.messageId === item.messageId;
  return old.kind === 'call' && item.kind === 'call' && old.callId === item.callId;
}

function stepsOf(items: readonly Item[]): ReadonlyMap<Item, readonly CallItem[]> {
  const byTask = new Map<string, CallItem[]>();
  for (const item of items) {
    if (item.kind !== 'call' || item.taskCallId === undefined) continue;
    const steps = byTask.get(item.taskCallId);
    if (steps) steps.push(item);
    else byTask.set(item.taskCallId, [item]);
  }
  const steps = new Map<Item, readonly CallItem[]>();
  if (byTask.size === 0) return steps;
  for (const item of items) {
    const mine = item.kind === 'call' ? byTask.get(item.callId) : undefined;
    if (mine) steps.set(item, mine);
  }
  return steps;
}

const isEqual = (one: readonly CallItem[], other: readonly CallItem[]): boolean =>
  one.length === other.length && one.every((call, index) => call === other[index]);
