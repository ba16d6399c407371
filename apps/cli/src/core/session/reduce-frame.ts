import type { ServerFrame, ServerFrameOf } from '@codelab/protocol';
import { addOutput } from './call-output.js';
import { readSnapshot, readQueue } from './read-snapshot.js';
import { readTodos } from './todo.js';
import { toCallItem } from './to-call-item.js';
import type { AssistantItem, CallItem, QueuedMessage, SessionView, UserItem } from './session-view.js';
import { isSettled } from './session-view.js';
import { addNotice, patchCall, updateItem, upsertItem } from './update-items.js';

/** What a server frame changes in the view. A frame that was seen before changes nothing (`redelivered`). */
export function reduceFrame(view: SessionView, frame: ServerFrame, atMs: number): SessionView {
  switch (frame.type) {
    case 'welcome':
      return welcome(view, frame, atMs);
    case 'message_accepted':
      return acceptMessage(view, frame);
    case 'turn_started':
      return startTurn(view, frame, atMs);
    case 'turn_ended':
      return endTurn(view, frame, atMs);
    case 'assistant_message':
      return growMessage(view, frame);
    case 'tool_call':
      return openCall(view, frame, atMs);
    case 'approval_updated':
      return patchCall(view, frame.call_id, (call) => ({ ...call, preview: frame.preview }));
    case 'approval_resolved':
      return resolveApproval(view, frame, atMs);
    case 'tool_result_ack':
      return patchCall(view, frame.call_id, (call) => (isSettled(call) ? call : { ...call, progress: 'done', endedAtMs: atMs }));
    case 'tool_status':
      return followStatus(view, frame, atMs);
    case 'queue_updated':
      return { ...view, queue: readQueue(frame.queue) };
    case 'agent_switched':
      return addNotice({ ...view, agent: frame.agent }, 'info', `The agent is ${frame.agent} now.`);
    case 'agent_status':
      return { ...view, activity: frame.status };
    case 'executor_changed':
      return { ...view, executor: frame.executor };
    case 'error':
      return takeError(view, frame);
    case 'tool_output':
      return patchCall(view, frame.call_id, (call) => (isSettled(call) ? call : { ...call, output: addOutput(call.output, frame) }));
    case 'todos_updated':
      return { ...view, todos: readTodos(frame.todos) };
    case 'tool_cancel':
    case 'drain':
      return view;
  }
}

function welcome(view: SessionView, frame: ServerFrameOf<'welcome'>, atMs: number): SessionView {
  const open: SessionView = { ...view, sessionId: frame.session_id, executor: frame.executor, link: 'open' };
  return frame.snapshot ? readSnapshot(open, frame.snapshot, atMs) : { ...open, items: open.items.filter((item) => !isForgotten(item)) };
}

/** What became meanwhile of a call of a program that had not begun is told nowhere; one that still stands comes again. */
const isForgotten = (item: SessionView['items'][number]): boolean =>
  item.kind === 'call' && item.program === true && (item.progress === 'waiting' || item.progress === 'ready');

function acceptMessage(view: SessionView, frame: ServerFrameOf<'message_accepted'>): SessionView {
  const waiting = view.queue.find(({ messageId }) => messageId === frame.message_id);
  if (frame.state === 'queued') {
    const sent = view.items.find((item) => item.kind === 'user' && item.messageId === frame.message_id && item.state === 'sent');
    if (waiting || sent?.kind !== 'user') return view;
    return {
      ...view,
      items: view.items.filter((item) => item !== sent),
      queue: [...view.queue, toQueued(sent)],
    };
  }
  const state = frame.state === 'steered' ? 'steered' : 'accepted';
  return showMessage(view, frame.message_id, state);
}

/** Puts a message that waited into the conversation, or marks the one that stands there already. */
function showMessage(view: SessionView, messageId: string, state: 'accepted' | 'steered'): SessionView {
  const waiting = view.queue.find((message) => message.messageId === messageId);
  if (!waiting) return updateItem(view, `user:${messageId}`, (item) => (item.kind === 'user' ? { ...item, state } : item));
  const queue = view.queue.filter((message) => message !== waiting);
  return upsertItem<UserItem>({ ...view, queue }, { ...waiting, kind: 'user', state }, (item) => ({ ...item, state }));
}

const toQueued = ({ messageId, content, attachments }: UserItem): QueuedMessage => ({
  messageId,
  content,
  attachments,
});

function startTurn(view: SessionView, frame: ServerFrameOf<'turn_started'>, atMs: number): SessionView {
  const shown = frame.message_ids.reduce((next, messageId) => showMessage(next, messageId, 'accepted'), view);
  if (shown.turn?.turnId === frame.turn_id) return shown;
  return { ...shown, model: frame.model, activity: 'thinking', turn: { turnId: frame.turn_id, startedAtMs: atMs, cancelling: false } };
}

function endTurn(view: SessionView, frame: ServerFrameOf<'turn_ended'>, atMs: number): SessionView {
  if (view.items.some((item) => item.kind === 'turn_end' && item.turnId === frame.turn_id)) return view;
  const usage = {
    inputTokens: frame.usage.input_tokens,
    outputTokens: frame.usage.output_tokens,
    costUsd: frame.usage.cost_usd,
  };
  const started = view.turn?.turnId === frame.turn_id ? view.turn.startedAtMs : undefined;
  const left = frame.status === 'completed' ? 'done' : 'cancelled';
  const items = finishMessages(view).items.map((item) =>
    item.kind === 'call' && item.program !== true && !isSettled(item) ? ({ ...item, progress: left, endedAtMs: atMs } as const) : item,
  );
  const { turn_id: turnId, model, status, error } = frame;
  const elapsedMs = started === undefined ? undefined : atMs - started;
  return {
    ...view,
    turn: undefined,
    activity: 'idle',
    drafting: undefined,
    model: frame.model,
    items: [...items, { kind: 'turn_end', turnId, model, status, usage, elapsedMs, ...(error ? { error } : {}) }],
    usage: {
      inputTokens: view.usage.inputTokens + usage.inputTokens,
      outputTokens: view.usage.outputTokens + usage.outputTokens,
      ...(usage.costUsd === undefined && view.usage.costUsd === undefined
        ? {}
        : { costUsd: (view.usage.costUsd ?? 0) + (usage.costUsd ?? 0) }),
    },
  };
}

function growMessage(view: SessionView, frame: ServerFrameOf<'assistant_message'>): SessionView {
  const replaced = frame.replaces
    ? updateItem(view, `assistant:${frame.replaces}`, (item) =>
        item.kind === 'assistant' ? { ...item, replaced: true, done: true } : item,
      )
    : view;
  const fresh: AssistantItem = {
    kind: 'assistant',
    messageId: frame.message_id,
    text: frame.content ?? frame.token,
    done: frame.is_final,
    final: frame.is_final,
    replaced: false,
  };
  const grown = upsertItem(finishMessages(replaced, frame.message_id), fresh, (item) => ({
    ...item,
    text: frame.content ?? item.text + frame.token,
    done: frame.is_final,
    final: frame.is_final,
  }));
  return { ...grown, activity: frame.is_final ? 'idle' : 'writing' };
}

/** A message is over as soon as something else follows it. */
function finishMessages(view: SessionView, except?: string): SessionView {
  const isOpen = (item: SessionView['items'][number]): boolean => item.kind === 'assistant' && !item.done && item.messageId !== except;
  if (!view.items.some(isOpen)) return view;
  return { ...view, items: view.items.map((item) => (isOpen(item) ? ({ ...item, done: true } as AssistantItem) : item)) };
}

function openCall(view: SessionView, frame: ServerFrameOf<'tool_call'>, atMs: number): SessionView {
  const fresh = toCallItem(frame, atMs);
  const opened = upsertItem(fresh.program === true ? view : finishMessages(view), fresh, (call) =>
    isSettled(call)
      ? call
      : { ...call, ...fresh, progress: call.progress === 'running' ? 'running' : fresh.progress, startedAtMs: call.startedAtMs },
  );
  return fresh.program === true ? opened : { ...opened, activity: 'waiting', drafting: undefined };
}

function resolveApproval(view: SessionView, frame: ServerFrameOf<'approval_resolved'>, atMs: number): SessionView {
  return patchCall(view, frame.call_id, (call): CallItem => {
    const { outcome, by, at_ms } = frame;
    const approval = { reason: '', risk: 'low' as const, choices: [], ...call.approval, outcome, by, at_ms };
    const decided = {
      ...call,
      approval,
      argsSha256: frame.args_sha256,
      ...(frame.args ? { args: frame.args.text, preview: undefined } : {}),
    };
    if (isSettled(call) || call.progress === 'running') return decided;
    if (outcome === 'approved' || outcome === 'edited') return { ...decided, progress: 'ready', startedAtMs: atMs };
    const error = outcome === 'expired' ? { code: 'APPROVAL_TIMED_OUT', message: 'nobody decided in time' } : undefined;
    const progress = outcome === 'rejected' ? 'rejected' : outcome === 'expired' ? 'failed' : 'cancelled';
    return {
      ...decided,
      progress,
      ...(frame.feedback ? { feedback: frame.feedback, byPolicy: frame.by === 'policy' } : {}),
      ...(error ? { error } : {}),
    };
  });
}

const PROGRESS = { calling: 'running', done: 'done', errored: 'failed', canceled: 'cancelled' } as const;

function followStatus(view: SessionView, frame: ServerFrameOf<'tool_status'>, atMs: number): SessionView {
  if (frame.status === 'generating') return { ...view, drafting: frame.tool_name };
  const progress = frame.status in PROGRESS ? PROGRESS[frame.status as keyof typeof PROGRESS] : undefined;
  if (!progress) return view;
  return patchCall(view, frame.call_id, (call) => {
    if (isSettled(call)) return call;
    return progress === 'running' ? { ...call, progress, startedAtMs: atMs } : { ...call, progress, endedAtMs: atMs };
  });
}

/** A refused decision is asked again, with the reason beside it: it needs no line of its own. */
function takeError(view: SessionView, frame: ServerFrameOf<'error'>): SessionView {
  if (view.items.some((item) => item.kind === 'call' && item.callId === frame.reply_to && !isSettled(item))) return view;
  const key = `user:${frame.reply_to}`;
  const marked = updateItem(view, key, (item) => (item.kind === 'user' ? { ...item, state: 'refused' } : item));
  const queue = marked.queue.filter(({ messageId }) => messageId !== frame.reply_to);
  return addNotice({ ...marked, queue }, frame.retryable ? 'warning' : 'error', frame.message);
}
