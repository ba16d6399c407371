import {
  SERVER_FRAMES,
  type AgentRetry,
  type Attachment,
  type Preview,
  type ServerFrame,
  type ServerFrameOf,
  type WhenBusy,
} from '@codelab/protocol';
import { readAttachments, readHistory, readQueue, readTodos } from './read-history.js';
import { readSnapshot } from './read-snapshot.js';
import { addOutput, finishCall, onApprovalResolved, onToolCall, onToolCancel, onToolStatus, type CallEnd } from './reduce-calls.js';
import { onAssistantMessage, onError, onMessageAccepted, onQueueUpdated, onTurnEnded, onTurnStarted, showMessage } from './reduce-turns.js';
import { onThought } from './reduce-thoughts.js';
import { onShell, type ShellEvent } from './reduce-shell.js';
import { isOfChild, keyOf, type Item, type NoticeItem, type Retry, type SessionView, type UserItem } from './session-view.js';
import { addNotice, appendItem, finishMessages, updateCall, updateOpenCall, upsertItem } from './update-items.js';

/** What can change a session's view: frames of the server, and what happens on this machine. `atMs` is this machine's clock. */
export type SessionEvent = { readonly atMs: number } & (
  | { readonly kind: 'frame'; readonly frame: ServerFrame }
  /** Frames name the messages of the user and don't repeat their text: who sends one says so. */
  | {
      readonly kind: 'message_sent';
      readonly messageId: string;
      readonly content: string;
      readonly attachments?: readonly Attachment[];
      readonly whenBusy?: WhenBusy;
    }
  /** Frames name a message of another client: its text was asked for, and will stand here. */
  | { readonly kind: 'message_named'; readonly messageId: string }
  /** The text has come. */
  | { readonly kind: 'message_found'; readonly messageId: string; readonly content: string; readonly attachments?: UserItem['attachments'] }
  | { readonly kind: 'call_started'; readonly callId: string }
  | ({ readonly kind: 'call_finished'; readonly callId: string } & CallEnd)
  | { readonly kind: 'call_printed'; readonly callId: string; readonly stream: 'stdout' | 'stderr'; readonly data: string }
  | { readonly kind: 'call_previewed'; readonly callId: string; readonly preview: Preview }
  /** Somebody asked the turn to stop. */
  | { readonly kind: 'cancel_sent' }
  | { readonly kind: 'link'; readonly link: SessionView['link'] }
  /** What REST says of the session, or what was chosen here. */
  | { readonly kind: 'chose'; readonly model?: string; readonly agent?: string; readonly mode?: string }
  /** A page of REST: items older than all that are shown, oldest first, and where it goes on. */
  | { readonly kind: 'history_read'; readonly history: readonly unknown[]; readonly cursor?: string }
  | ShellEvent
  | { readonly kind: 'notice'; readonly tone: NoticeItem['tone']; readonly text: string }
);

/**
 * The next view of a session. Pure; an event that changes nothing returns the same view. A snapshot and the frames since it give what a
 * snapshot taken now would give, as far as both tell: see the tests. A frame that is in the view already changes nothing.
 */
export function reduceSession(view: SessionView, event: SessionEvent): SessionView {
  switch (event.kind) {
    case 'frame':
      return takeFrame(view, event.frame, event.atMs);
    case 'message_sent':
      return sendMessage(view, event);
    case 'message_named':
      return upsertItem<UserItem>(view, { kind: 'user', messageId: event.messageId, content: '', state: 'sent' }, (item) => item);
    case 'message_found': {
      const { messageId, content, attachments } = event;
      const found: UserItem = { kind: 'user', messageId, content, attachments, state: 'accepted' };
      return upsertItem(view, found, (item) => (item.content === '' ? found : item));
    }
    case 'call_started':
      return updateOpenCall(view, event.callId, (call) => ({ ...call, progress: 'running', startedAtMs: event.atMs }));
    case 'call_printed':
      return updateOpenCall(view, event.callId, (call) => addOutput(call, event));
    case 'call_finished':
      return updateCall(view, event.callId, (call) => finishCall(call, event, event.atMs));
    case 'call_previewed':
      return updateCall(view, event.callId, (call) => ({ ...call, preview: event.preview }));
    case 'cancel_sent':
      return view.turn ? { ...view, turn: { ...view.turn, cancelling: true } } : view;
    case 'link':
      return view.link === event.link ? view : { ...view, link: event.link };
    case 'chose':
      return { ...view, model: event.model ?? view.model, agent: event.agent ?? view.agent, mode: event.mode ?? view.mode };
    case 'history_read':
      return pageIn(view, readHistory(event.history), event.cursor);
    case 'shell_started':
    case 'shell_printed':
    case 'shell_ended':
      return onShell(view, event);
    case 'notice':
      return addNotice(view, event.tone, event.text);
  }
}

function sendMessage(
  view: SessionView,
  { messageId, content, attachments, whenBusy }: Extract<SessionEvent, { kind: 'message_sent' }>,
): SessionView {
  const message = { messageId, content, attachments: readAttachments(attachments) };
  const list = whenBusy === 'steer' ? 'steering' : 'queue';
  if (view.turn) return { ...view, [list]: [...view[list], { ...message, unconfirmed: true }] };
  return appendItem(view, { kind: 'user', ...message, state: 'sent' });
}

function pageIn(view: SessionView, older: readonly Item[], historyCursor: string | undefined): SessionView {
  const shown = new Set(view.items.map(keyOf));
  return { ...view, items: [...older.filter((item) => !shown.has(keyOf(item))), ...view.items], historyCursor };
}

/** Counts the frames of the log, and passes on what is not in the view yet. */
function takeFrame(view: SessionView, frame: ServerFrame, atMs: number): SessionView {
  if (!SERVER_FRAMES[frame.type].log || frame.seq === undefined) return reduceFrame(view, frame, atMs);
  if (frame.seq > view.seq) return { ...reduceFrame(view, frame, atMs), seq: frame.seq };
  return frame.type === 'tool_call' && frame.redelivered === true ? reduceFrame(view, frame, atMs) : view;
}

function reduceFrame(view: SessionView, frame: ServerFrame, atMs: number): SessionView {
  switch (frame.type) {
    case 'welcome':
      return onWelcome(view, frame, atMs);
    case 'message_accepted':
      return onMessageAccepted(view, frame);
    case 'turn_started':
      return onTurnStarted(view, frame, atMs);
    case 'turn_steered':
      return frame.message_ids.reduce((next, messageId) => showMessage(next, messageId, 'steered'), finishMessages(view));
    case 'turn_ended':
      return onTurnEnded(view, frame, atMs);
    case 'agent_thought':
      return onThought(view, frame, atMs);
    case 'assistant_message':
      return onAssistantMessage(view, frame);
    case 'tool_call':
      return onToolCall(view, frame, atMs);
    case 'approval_updated':
      return updateCall(view, frame.call_id, (call) => ({ ...call, preview: frame.preview, operands: frame.operands }));
    case 'approval_resolved':
      return onApprovalResolved(view, frame, atMs);
    case 'tool_result_ack':
      return updateOpenCall(view, frame.call_id, (call) => ({ ...call, progress: 'done', endedAtMs: atMs }));
    case 'tool_status':
      return onToolStatus(view, frame, atMs);
    case 'tool_output':
      return updateOpenCall(view, frame.call_id, (call) => addOutput(call, frame));
    case 'tool_cancel':
      return onToolCancel(view, frame, atMs);
    case 'queue_updated':
      return onQueueUpdated(view, readQueue(frame.queue), readQueue(frame.steering ?? []));
    case 'todos_updated':
      return { ...view, todos: readTodos(frame.todos) };
    case 'agent_switched':
      return addNotice({ ...view, agent: frame.agent }, 'info', sayAgent(frame));
    case 'mode_switched':
      return { ...view, mode: frame.mode };
    case 'agent_status':
      return { ...view, activity: frame.status, retry: frame.retry && toRetry(frame.retry, atMs) };
    case 'executor_changed':
      return { ...view, executor: frame.executor };
    case 'error':
      return onError(view, frame);
    case 'tool_use':
    case 'drain':
      return view;
  }
}

/** Characters of a note that a notice shows. */
const MAX_NOTE_SHOWN = 300;

const sayAgent = ({ agent, from, turn_id: turnId, note = '' }: ServerFrameOf<'agent_switched'>): string => {
  if (from === undefined || turnId === undefined) return `The agent is ${agent} ${from === undefined ? 'now' : 'again'}.`;
  const shown = note.length > MAX_NOTE_SHOWN ? `${note.slice(0, MAX_NOTE_SHOWN)}…` : note;
  return `${from} hands this turn over to ${agent}${shown === '' ? '.' : `: ${shown}`}`;
};

const toRetry = ({ reason, message, attempt, max_attempts: maxAttempts, retry_after_ms: afterMs }: AgentRetry, atMs: number): Retry => ({
  ...{ reason, message, attempt, maxAttempts },
  atMs: atMs + afterMs,
});

/** A connection begins, or begins anew in its middle. A question of a child that still stands comes again, another one is over. */
function onWelcome(before: SessionView, frame: ServerFrameOf<'welcome'>, atMs: number): SessionView {
  const { session_id: sessionId, epoch, executor, recovered, snapshot } = frame;
  const items = before.items.filter(
    (item) => item.kind !== 'call' || !isOfChild(item) || (item.progress !== 'waiting' && item.progress !== 'ready'),
  );
  const view: SessionView = { ...before, sessionId, epoch, executor, link: 'open', items, seq: before.epoch === epoch ? before.seq : 0 };
  return snapshot === undefined || recovered ? view : readSnapshot(view, snapshot, atMs);
}
