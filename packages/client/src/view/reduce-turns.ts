import type { ServerFrameOf, TurnUsage } from '@codelab/protocol';
import { isSettled, type QueuedMessage, type SessionView, type UserItem } from './session-view.js';
import { addNotice, appendItem, finishMessages, updateItem, upsertItem } from './update-items.js';

/** The servers have a message, and say what becomes of it. */
export function onMessageAccepted(view: SessionView, { message_id: id, state }: ServerFrameOf<'message_accepted'>): SessionView {
  if (state === 'started') return showMessage(view, id, 'accepted');
  const waits = [...view.queue, ...view.steering].find(({ messageId }) => messageId === id);
  const sent = view.items.find((item) => item.kind === 'user' && item.messageId === id && item.state === 'sent');
  const message = waits ?? (sent?.kind === 'user' ? { messageId: id, content: sent.content, attachments: sent.attachments } : undefined);
  if (message === undefined) return view;
  const list = state === 'queued' ? 'queue' : 'steering';
  const rest = withoutMessage(view, id);
  const isThere = view[list].some(({ messageId }) => messageId === id);
  const there = view[list].map((one) => (one.messageId === id ? confirmed(one) : one));
  return { ...rest, items: view.items.filter((item) => item !== sent), [list]: isThere ? there : [...rest[list], confirmed(message)] };
}

/** The servers have it. */
const confirmed = ({ messageId, content, attachments }: QueuedMessage): QueuedMessage => ({ messageId, content, attachments });

/** The view in which a message waits nowhere. */
function withoutMessage(view: SessionView, messageId: string): SessionView {
  const isOther = (message: QueuedMessage): boolean => message.messageId !== messageId;
  const { queue, steering, leaving } = view;
  return { ...view, queue: queue.filter(isOther), steering: steering.filter(isOther), leaving: leaving.filter(isOther) };
}

/** Messages that are kept until they are seen to go into a turn: as many as a queue holds. */
const MAX_LEAVING = 32;

/**
 * Other messages wait. What waits no more is about to be answered, or was taken out; only the queue had its text. What this client knows of a
 * message, its files too, stays.
 */
export function onQueueUpdated(
  view: SessionView,
  toldQueue: readonly QueuedMessage[],
  toldSteering: readonly QueuedMessage[],
): SessionView {
  const known = [...view.queue, ...view.steering, ...view.leaving];
  const asKnown = (message: QueuedMessage): QueuedMessage =>
    confirmed(known.find(({ messageId }) => messageId === message.messageId) ?? message);
  const isShown = (id: string): boolean => view.items.some((item) => item.kind === 'user' && item.messageId === id);
  const told = [...toldQueue, ...toldSteering];
  const untold = known.filter(({ messageId: id }) => !told.some(({ messageId }) => messageId === id) && !isShown(id));
  const leaving = untold.filter(({ unconfirmed }) => !unconfirmed).slice(-MAX_LEAVING);
  const onTheWay = (list: readonly QueuedMessage[]): readonly QueuedMessage[] =>
    list.filter((message) => message.unconfirmed && untold.includes(message));
  return {
    ...view,
    queue: [...toldQueue.map(asKnown), ...onTheWay(view.queue)],
    steering: [...toldSteering.map(asKnown), ...onTheWay(view.steering)],
    leaving,
  };
}

/** Puts a message that waited into the conversation, or marks the one that stands there already. */
export function showMessage(view: SessionView, messageId: string, state: 'accepted' | 'steered'): SessionView {
  const waiting = [...view.queue, ...view.steering, ...view.leaving].find((message) => message.messageId === messageId);
  if (!waiting) return updateItem(view, `user:${messageId}`, (item) => (item.kind === 'user' ? { ...item, state } : item));
  return upsertItem<UserItem>(withoutMessage(view, messageId), { ...confirmed(waiting), kind: 'user', state }, (item) => ({
    ...item,
    state,
  }));
}

export function onTurnStarted(view: SessionView, frame: ServerFrameOf<'turn_started'>, atMs: number): SessionView {
  const { turn_id: turnId, model } = frame;
  const shown = frame.message_ids.reduce((next, messageId) => showMessage(next, messageId, 'accepted'), view);
  if (shown.turn?.turnId === turnId) return shown;
  return { ...shown, model, activity: 'thinking', turn: { turnId, startedAtMs: atMs, cancelling: false } };
}

export function onTurnEnded(view: SessionView, frame: ServerFrameOf<'turn_ended'>, atMs: number): SessionView {
  const { turn_id: turnId, model, status, usage, error } = frame;
  if (view.items.some((item) => item.kind === 'turn_end' && item.turnId === turnId)) return view;
  const progress = status === 'completed' ? 'done' : 'cancelled';
  const items = finishMessages(view).items.map((item) =>
    item.kind === 'call' && !item.program && !isSettled(item) ? ({ ...item, progress, endedAtMs: atMs } as const) : item,
  );
  const elapsedMs = view.turn?.turnId === turnId ? atMs - view.turn.startedAtMs : undefined;
  const ended = {
    ...view,
    items,
    turn: undefined,
    activity: 'idle',
    retry: undefined,
    drafting: undefined,
    model,
    usage: addUsage(view.usage, usage),
  } as const;
  return appendItem(ended, { kind: 'turn_end', turnId, model, status, usage, elapsedMs, error });
}

const addUsage = (sum: TurnUsage, usage: TurnUsage): TurnUsage => ({
  input_tokens: sum.input_tokens + usage.input_tokens,
  output_tokens: sum.output_tokens + usage.output_tokens,
  context_tokens: usage.context_tokens ?? sum.context_tokens,
  context_window: usage.context_window ?? sum.context_window,
  cost_usd: sum.cost_usd === undefined && usage.cost_usd === undefined ? undefined : (sum.cost_usd ?? 0) + (usage.cost_usd ?? 0),
});

/** A message of the model begins or grows, perhaps in the place of one whose request was repeated. */
export function onAssistantMessage(view: SessionView, frame: ServerFrameOf<'assistant_message'>): SessionView {
  const { message_id: messageId, token, content, is_final: final, replaces } = frame;
  const base =
    replaces === undefined
      ? view
      : updateItem(view, `assistant:${replaces}`, (item) => (item.kind === 'assistant' ? { ...item, replaced: true, done: true } : item));
  const grown = upsertItem(
    finishMessages(base, messageId),
    { kind: 'assistant', messageId, text: content ?? token, done: final, final, replaced: false },
    (item) => ({ ...item, text: content ?? item.text + token, done: final, final }),
  );
  return { ...grown, activity: final ? 'idle' : 'writing', retry: undefined };
}

/** Something was refused. A refused decision is asked again, with the reason beside it: it needs no line of its own. */
export function onError(view: SessionView, { reply_to: id, retryable, message }: ServerFrameOf<'error'>): SessionView {
  if (view.items.some((item) => item.kind === 'call' && item.callId === id && !isSettled(item))) return view;
  const marked = updateItem(view, `user:${id}`, (item) => (item.kind === 'user' ? { ...item, state: 'refused' } : item));
  return addNotice(id === undefined ? marked : withoutMessage(marked, id), retryable ? 'warning' : 'error', message);
}
