import type { ServerFrameOf, Snapshot } from '@codelab/protocol';
import { readHistory, readQueue, readTodos, textOf, toFields } from './read-history.js';
import { toCallItem } from './reduce-calls.js';
import { isSettled, keyOf, type Item, type SessionView } from './session-view.js';
import { finishMessages } from './update-items.js';

/**
 * Puts a snapshot into the view: what it tells of the conversation is laid over what is shown already, so that nothing appears twice and
 * nothing that a person has seen goes away. Where it doesn't reach back to what is shown, that goes, because nobody knows what was between.
 */
export function readSnapshot(view: SessionView, snapshot: Snapshot, atMs: number): SessionView {
  const { partial } = snapshot;
  const told: Item[] = [...readHistory(snapshot.history)];
  if (partial)
    told.push({ kind: 'assistant', messageId: partial.message_id, text: partial.text, done: false, final: false, replaced: false });
  const open = snapshot.open_calls.map((call) => toCallItem(toFields(call) as unknown as ServerFrameOf<'tool_call'>, atMs)); // as it was logged
  const turnId = textOf(snapshot.turn ?? {}, 'turn_id');
  const shown = finishMessages(view, partial?.message_id).items;
  const keys = new Set(shown.map(keyOf));
  const reaches = told.some((item) => keys.has(keyOf(item)));
  const items = layOver(reaches ? shown : shown.filter(isLocal), [...told, ...open]);
  return {
    ...view,
    seq: snapshot.seq,
    items: turnId === '' ? items.map(giveUp) : items,
    historyCursor: reaches ? view.historyCursor : snapshot.history_cursor,
    queue: readQueue(snapshot.queue),
    steering: readQueue(snapshot.steering ?? []),
    todos: readTodos(snapshot.todos),
    model: textOf(snapshot.turn ?? {}, 'model') || view.model,
    mode: snapshot.mode ?? view.mode,
    turn: turnId === '' ? undefined : view.turn?.turnId === turnId ? view.turn : { turnId, startedAtMs: atMs, cancelling: false },
    retry: undefined,
    activity: turnId === '' ? 'idle' : 'thinking',
  };
}

/** Items that no server tells of: they stay whatever else goes. */
const isLocal = (item: Item): boolean =>
  item.kind === 'notice' || item.kind === 'shell' || item.kind === 'thought' || (item.kind === 'user' && item.state === 'sent');

/** No turn runs: a call that is not over was of one that has ended, unseen. */
const giveUp = (item: Item): Item => (item.kind === 'call' && !item.program && !isSettled(item) ? { ...item, progress: 'unknown' } : item);

function layOver(shown: readonly Item[], told: readonly Item[]): readonly Item[] {
  const items = new Map(shown.map((item) => [keyOf(item), item]));
  for (const item of told) {
    const key = keyOf(item);
    const known = items.get(key);
    items.set(key, known === undefined ? item : merge(known, item));
  }
  return [...items.values()];
}

function merge(shown: Item, told: Item): Item {
  if (shown.kind === 'assistant' && told.kind === 'assistant') return { ...told, final: shown.final, replaced: shown.replaced };
  if (shown.kind === 'call' && told.kind === 'call') {
    // A use of another vocabulary has the id of its first call, which was shown: its arguments and its result are in other words.
    if (shown.toolName !== told.toolName) return isSettled(shown) ? shown : { ...shown, progress: told.progress };
    const isBehind = told.progress === 'ready' && shown.progress !== 'waiting';
    return {
      ...shown,
      args: told.args,
      argsSha256: told.argsSha256 || shown.argsSha256,
      approval: told.approval ?? shown.approval,
      error: told.error ?? shown.error,
      feedback: told.feedback ?? shown.feedback,
      result: told.result ?? shown.result,
      startedAtMs: shown.startedAtMs ?? told.startedAtMs,
      progress: isBehind ? shown.progress : told.progress,
    };
  }
  return shown.kind === 'user' && told.kind === 'user' ? { ...shown, state: 'accepted' } : shown;
}
