import { decodeServerFrame, JsonText, type CallRecord, type JournalledCall } from '@codelab/protocol';
import type { StepBuilder } from '../turn/step-builder.js';
import { callsOf, isOpen, type OpenCall } from '../turn/turn-state.js';

/**
 * Gives open calls to another executor: safe ones that the old one had. A call that nobody was given goes to whoever executes without
 * this; an unsafe one that was written to a socket never moves by itself (R2).
 */
export function applyExecutor(builder: StepBuilder, executor: string, records: readonly CallRecord[]): void {
  if (builder.turn === undefined || executor === '') return;
  const byId = new Map(records.map((record) => [record.callId, record]));
  for (const call of callsOf(builder.turn)) {
    const record = byId.get(call.callId);
    if (record !== undefined && isOpen(call) && moves(call, record, executor)) reassign(builder, call, record);
  }
}

const moves = (call: OpenCall, record: CallRecord, executor: string): boolean =>
  call.server === undefined &&
  call.task === undefined &&
  call.idempotency === 'safe' &&
  record.state !== 'answered' &&
  record.givenTo !== '' &&
  record.givenTo !== executor;

const reassign = (builder: StepBuilder, call: OpenCall, record: CallRecord): void => {
  const first = decodeServerFrame(record.frame);
  if (first?.type !== 'tool_call') throw new Error(`the call ${call.callId} has no frame to give on`);
  const fence = record.fence + 1;
  const { state } = call;
  const args = call.state === 'waiting_approval' || call.edited === undefined ? first.args : new JsonText(call.edited);
  const frame = {
    ...first,
    args,
    args_sha256: call.argsSha256,
    fence,
    state,
    requires_approval: call.asked && state === 'waiting_approval',
  };
  builder.calls.push({ kind: 'reassign', callId: call.callId, fence });
  builder.say(frame);
  builder.putCall(call.state === 'ready' ? { ...call, fence, givenAtMs: 0, stoppedAtMs: 0 } : { ...call, fence });
};

/** What the states of a client's journal mean to a model and a human. */
const MEANINGS: Readonly<Record<string, string>> = {
  received: 'received, not begun',
  started: 'begun, its end is not recorded',
  done: 'done',
  unknown: 'begun, its outcome is unknown',
};

/**
 * Puts before the model and the human what the journal of a client knows and this session doesn't: calls may have had effects that the
 * conversation knows nothing of (R2). Calls of the turn that runs are left out; their results will say.
 */
export function applyJournal(builder: StepBuilder, calls: string): void {
  const unknown = (JSON.parse(calls) as readonly JournalledCall[]).filter(({ call_id }) => builder.findCall(call_id) === undefined);
  if (unknown.length === 0) return;
  const list = unknown.map(({ call_id, state }) => `${call_id} (${MEANINGS[state] ?? state})`).join(', ');
  const content = `The journal of the client names tool calls that this session has no result of: ${list}. Look before you repeat what they may have done.`;
  builder.remember({ role: 'note', content, at_ms: builder.nowMs });
}
