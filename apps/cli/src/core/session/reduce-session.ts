import { addOutput } from './call-output.js';
import { reduceFrame } from './reduce-frame.js';
import type { SessionEvent } from './session-event.js';
import type { CallItem, SessionView } from './session-view.js';
import { isSettled } from './session-view.js';
import { addNotice, patchCall } from './update-items.js';

/** The next view of a session. Pure; an event that changes nothing returns the same view. */
export function reduceSession(view: SessionView, event: SessionEvent): SessionView {
  switch (event.kind) {
    case 'frame':
      return reduceFrame(view, event.frame, event.atMs);
    case 'message_sent':
      return sendMessage(view, event);
    case 'call_started':
      return patchCall(view, event.callId, (call) => (isSettled(call) ? call : { ...call, progress: 'running', startedAtMs: event.atMs }));
    case 'call_printed':
      return patchCall(view, event.callId, (call) => (isSettled(call) ? call : { ...call, output: addOutput(call.output, event) }));
    case 'call_finished':
      return patchCall(view, event.callId, (call) => finishCall(call, event, event.atMs));
    case 'call_previewed':
      return patchCall(view, event.callId, (call) => ({ ...call, preview: event.preview }));
    case 'cancel_sent':
      return view.turn ? { ...view, turn: { ...view.turn, cancelling: true } } : view;
    case 'link':
      return view.link === event.link ? view : { ...view, link: event.link };
    case 'chose':
      return { ...view, model: event.model ?? view.model, agent: event.agent ?? view.agent };
    case 'notice':
      return addNotice(view, event.tone, event.text);
  }
}

function sendMessage(view: SessionView, { messageId, content, attachments }: Extract<SessionEvent, { kind: 'message_sent' }>): SessionView {
  const message = { messageId, content, ...(attachments === undefined || attachments.length === 0 ? {} : { attachments }) };
  if (view.turn) return { ...view, queue: [...view.queue, message] };
  return { ...view, items: [...view.items, { kind: 'user', ...message, state: 'sent' }] };
}

type Finished = {
  readonly error?: { readonly code: string; readonly message: string };
  readonly summary?: string;
  readonly masks?: readonly string[];
};

/** The executor's own word on a call counts even after the server's acknowledgement; a decision of a human stays. */
function finishCall(call: CallItem, finished: Finished, atMs: number): CallItem {
  if (call.progress === 'rejected') return call;
  const { error, summary, masks } = finished;
  const progress = !error ? 'done' : error.code === 'CANCELLED' ? 'cancelled' : error.code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed';
  return { ...call, progress, error, summary, masks, output: undefined, endedAtMs: call.endedAtMs ?? atMs };
}
