import type { ServerFrameOf, TurnUsage } from '@codelab/protocol';
import { isSettled, type QueuedMessage, type SessionView, type UserItem } from './session-view.js';
import { addNotice, appendItem, finishMessages, updateItem, upsertItem } from './update-items.js';

/** The servers have a message, and say what becomes of it. */
export function onMessageAccepted(view: SessionView, { message_id: id, state }: ServerFrameOf<'message_accepted'>): SessionView {
  if (state !== 'queued') return showMessage(view, id, state === 'steered' ? 'steered' : 'accepted');
  const sent = view.items.find((item) => item.kind === 'user' && item.messageId === id && item.state === 'sent');
  if (sent?.kind !== 'user' || view.queue.some(({ messageId }) => messageId === id)) return view;
  const { content, attachments } = sent;
  return {
    ...view,
    items: view.items.filter((item) => item !== sent),
    queue: [...view.queue, { messageId: id, content, attachments }],
  };
}

/** Messages that are kept until their turn is seen to begin: as many as a queue holds. */
const MAX_LEAVING = 32;

/**
 * The queue is another one. What is in it no more is about to be answered, or was taken out; only the queue had its text. What this client
 * knows of a message, its files too, stays.
 */
export function onQueueUpdated(view: SessionView, told: readonly QueuedMessage[]): SessionView {
  const known = [...view.queue, ...view.leaving];
  const queue = told.map((message) => known.find(({ messageId }) => messageId === message.messageId) ?? message);
  const isShown = (id: string): boolean => view.items.some((item) => item.kind === 'user' && item.messageId === id);
  const leaving = known.filter(({ messageId: id }) => !told.some(({ messageId }) => messageId === id) && !isShown(id)).slice(-MAX_LEAVING);
  return { ...view, queue, leaving };
}

/** Puts a message that waited into the conversation, or marks the one that stands there already. */
function showMessage(view: SessionView, messageId: string, state: 'accepted' | 'steered'): SessionView {
  const isMeant = (message: QueuedMessage): boolean => message.messageId === messageId;
  const waiting = view.queue.find(isMeant) ?? view.leaving.find(isMeant);
  if (!waiting) return updateItem(view, `user:${messageId}`, (item) => (item.kind === 'user' ? { ...item, state } : item));
  const queue = view.queue.filter((message) => !isMeant(message));
  const leaving = view.leaving.filter((message) => !isMeant(message));
  return upsertItem<UserItem>({ ...view, queue, leaving }, { ...waiting, kind: 'user', state }, (item) => ({ ...item, state }));
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
  return { ...grown, activity: final ? 'idle' : 'writing' };
}

/** Something was refused. A refused decision is asked again, with the reason beside it: it needs no line of its own. */
export function onError(view: SessionView, { reply_to: id, retryable, message }: ServerFrameOf<'error'>): SessionView {
  if (view.items.some((item) => item.kind === 'call' && item.callId === id && !isSettled(item))) return view;
  const marked = updateItem(view, `user:${id}`, (item) => (item.kind === 'user' ? { ...item, state: 'refused' } : item));
  const queue = marked.queue.filter(({ messageId }) => messageId !== id);
  return addNotice({ ...marked, queue }, retryable ? 'warning' : 'error', message);
}
