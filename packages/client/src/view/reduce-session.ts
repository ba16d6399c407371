import { SERVER_FRAMES, type ServerFrame, type ServerFrameOf, type ServerFrameType, type TurnUsage } from '@codelab/protocol';
import type { SessionView, ViewCall, ViewEntry, ViewToolEntry } from './session-view.js';
import { toViewCall, toViewQueued, viewOfSnapshot } from './view-snapshot.js';

/** Entries that a view keeps; REST has the older ones. */
const MAX_ENTRIES = 1_000;

type Reduce<Type extends ServerFrameType> = (view: SessionView, frame: ServerFrameOf<Type>) => SessionView;

const withEntry = (view: SessionView, entry: ViewEntry): SessionView => ({
  ...view,
  entries: [...view.entries, entry].slice(-MAX_ENTRIES),
});

const changeEntries = (view: SessionView, change: (entry: ViewEntry) => ViewEntry): SessionView => ({
  ...view,
  entries: view.entries.map(change),
});

const changeCall = (view: SessionView, callId: string, change: (call: ViewCall) => ViewCall): SessionView => ({
  ...view,
  calls: view.calls.map((call) => (call.callId === callId ? change(call) : call)),
});

const without = <Key extends 'partial' | 'turn'>(view: SessionView, key: Key): SessionView => {
  const { [key]: _, ...rest } = view;
  return rest as SessionView; // both are optional
};

/** The result of a call is known, or it has none. */
const closeCall = (view: SessionView, callId: string, status: ViewToolEntry['status']): SessionView => ({
  ...changeEntries(view, (entry) => (entry.kind === 'tool' && entry.callId === callId ? { ...entry, status } : entry)),
  calls: view.calls.filter((call) => call.callId !== callId),
});

const onAssistantMessage: Reduce<'assistant_message'> = (view, { message_id: messageId, token, is_final: isFinal, content, replaces }) => {
  const entries =
    replaces === undefined ? view.entries : view.entries.filter((entry) => entry.kind !== 'assistant' || entry.messageId !== replaces);
  const known = entries.find((entry) => entry.kind === 'assistant' && entry.messageId === messageId);
  const before = known?.kind === 'assistant' ? known.text : '';
  const entry = { kind: 'assistant', messageId, text: content ?? before + token, isFinal } as const;
  const base = { ...without(view, 'partial'), entries };
  const grown = known === undefined ? withEntry(base, entry) : changeEntries(base, (other) => (other === known ? entry : other));
  if (isFinal) return grown;
  const partial = view.partial?.messageId === messageId ? view.partial.text + token : token;
  return { ...grown, partial: { messageId, text: partial } };
};

/** A question of a program: shown while it waits, and no part of the conversation. */
const onProgramCall: Reduce<'tool_call'> = (view, frame) => {
  const calls = view.calls.filter(({ callId }) => callId !== frame.call_id);
  return { ...view, calls: frame.state === 'waiting_approval' ? [...calls, toViewCall(frame)] : calls };
};

const withoutProgramCall = (view: SessionView, call: string): SessionView => ({
  ...view,
  calls: view.calls.filter(({ callId, program }) => callId !== call || program !== true),
});

const onToolCall: Reduce<'tool_call'> = (view, frame) => {
  if (frame.origin === 'proxy') return onProgramCall(view, frame);
  if (frame.state === 'answered') return closeCall(view, frame.call_id, 'done');
  const call = toViewCall(frame);
  const base = frame.redelivered === true ? view : without(view, 'partial');
  const isKnown = base.calls.some(({ callId }) => callId === call.callId);
  const known = isKnown ? changeCall(base, call.callId, (old) => (old.argsSha256 === call.argsSha256 ? { ...old, ...call } : call)) : base;
  const opened = isKnown ? known : { ...base, calls: [...base.calls, call] };
  const entry: ViewToolEntry = { kind: 'tool', callId: call.callId, toolName: call.toolName, args: call.args, status: 'open' };
  const isShown = opened.entries.some((other) => other.kind === 'tool' && other.callId === call.callId);
  if (!isShown) return withEntry(opened, entry);
  return changeEntries(opened, (other) => (other.kind === 'tool' && other.callId === call.callId ? entry : other));
};

const onApprovalResolved: Reduce<'approval_resolved'> = (before, { call_id, outcome, args, args_sha256, by, at_ms }) => {
  const view = withoutProgramCall(before, call_id);
  if (outcome !== 'approved' && outcome !== 'edited') {
    return closeCall(view, call_id, outcome === 'cancelled' ? 'canceled' : 'errored');
  }
  return changeCall(view, call_id, (call) => ({
    ...call,
    state: 'ready',
    args: args?.text ?? call.args,
    argsSha256: args_sha256,
    ...(call.approval === undefined ? {} : { approval: { ...call.approval, outcome, by, at_ms } }),
  }));
};

const onToolStatus: Reduce<'tool_status'> = (view, { call_id, status }) =>
  status === 'done' || status === 'errored' || status === 'canceled' ? closeCall(view, call_id, status) : view;

const onTurnStarted: Reduce<'turn_started'> = (view, { turn_id: turnId, message_ids: messageIds, model }) => {
  const waiting = view.queue.filter(({ messageId }) => messageIds.includes(messageId));
  const started: SessionView = { ...without(view, 'partial'), turn: { turnId, status: 'running', messageIds, model } };
  return waiting.reduce((before, message) => withUserMessage(before, message), started);
};

const addUsage = (sum: TurnUsage, usage: TurnUsage): TurnUsage => {
  const cost = (sum.cost_usd ?? 0) + (usage.cost_usd ?? 0);
  return {
    input_tokens: sum.input_tokens + usage.input_tokens,
    output_tokens: sum.output_tokens + usage.output_tokens,
    ...(cost > 0 ? { cost_usd: cost } : {}),
  };
};

const onTurnEnded: Reduce<'turn_ended'> = (view, { turn_id: turnId, message_ids: messageIds, model, status, usage, error }) => ({
  ...changeEntries(without(view, 'partial'), (entry) =>
    entry.kind === 'tool' && entry.status === 'open' ? { ...entry, status: 'canceled' } : entry,
  ),
  turn: { turnId, status, messageIds, model, usage, error },
  calls: view.calls.filter(({ program }) => program === true),
  usage: addUsage(view.usage, usage),
});

const onWelcome: Reduce<'welcome'> = (view, frame) => {
  if (!frame.recovered && frame.snapshot !== undefined) return viewOfSnapshot(view, frame, frame.snapshot);
  const { session_id: sessionId, epoch, executor } = frame;
  const calls = view.calls.filter(({ program }) => program !== true); // those that still wait come again
  return { ...view, calls, sessionId, epoch, executor, seq: view.epoch === epoch ? view.seq : 0 };
};

/** What each frame changes. A frame that says nothing about the session's state changes nothing. */
const REDUCERS: { readonly [Type in ServerFrameType]?: Reduce<Type> } = {
  welcome: onWelcome,
  assistant_message: onAssistantMessage,
  tool_call: onToolCall,
  approval_updated: (view, { call_id, preview, operands }) => changeCall(view, call_id, (call) => ({ ...call, preview, operands })),
  approval_resolved: onApprovalResolved,
  tool_cancel: (view, { call_id }) => withoutProgramCall(view, call_id),
  tool_status: onToolStatus,
  turn_started: onTurnStarted,
  turn_ended: onTurnEnded,
  agent_switched: (view, { agent }) => ({ ...view, agent }),
  agent_status: (view, { status }) => ({ ...view, agentStatus: status }),
  todos_updated: (view, { todos }) => ({ ...view, todos }),
  queue_updated: (view, { queue }) => ({ ...view, queue: queue.map(toViewQueued) }),
  executor_changed: (view, { executor }) => ({ ...view, executor }),
};

/**
 * The view after a frame. Pure, and such that a snapshot and the frames since it give what a snapshot taken now would give, as far as
 * frames tell: they name the user's messages and don't repeat their text, see {@link withUserMessage}, and don't carry results. A frame
 * that is in the view already changes nothing.
 */
export function reduceSession(view: SessionView, frame: ServerFrame): SessionView {
  const isLogged = SERVER_FRAMES[frame.type].log && frame.seq !== undefined;
  const isKnown = isLogged && frame.seq <= view.seq;
  if (isKnown && !(frame.type === 'tool_call' && frame.redelivered === true)) return view;
  const reduce = REDUCERS[frame.type] as Reduce<ServerFrameType> | undefined; // keyed by the frame's own type
  const reduced = reduce?.(view, frame) ?? view;
  return isLogged && !isKnown ? { ...reduced, seq: frame.seq } : reduced;
}

/** The view with a message of the user, which the client that sent it knows and frames don't repeat. */
export function withUserMessage(view: SessionView, message: { readonly messageId: string; readonly content: string }): SessionView {
  const isShown = view.entries.some((entry) => entry.kind === 'user' && entry.messageId === message.messageId);
  return isShown ? view : withEntry(view, { kind: 'user', messageId: message.messageId, content: message.content });
}
