import type { InboxEntry } from '@codelab/bus';
import type { TurnUsage as WireUsage } from '@codelab/protocol';
import { type CallResult, readCallResult } from '../calls/call-result.js';
import { addUsage } from './apply-answer.js';
import { deniedByUser } from './apply-decision.js';
import { askAnew } from '../calls/ask-anew.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { MAX_ASKED_ANEW, MAX_NOTE_UNITS } from '../turn/runtime-limits.js';
import { settleCall } from '../calls/settle-call.js';
import { isOpen, type OpenCall, type ReportedCall, usesOf } from '../turn/turn-state.js';

type ResultEntry = Extract<InboxEntry, { kind: 'result' }>;

/**
 * Takes the first result of a call. A result that a client without identity sends for an undecided call is its decision, made there and in
 * the log already. A result that says that something else was approved than would be done puts the question, for the first time where a
 * rule had spared it; nothing was done then. One whose preview failed was answered before anybody was asked.
 */
export function applyResult(builder: StepBuilder, { callId, frame, local, unasked }: ResultEntry): void {
  const call = builder.findCall(callId);
  if (call === undefined || !isOpen(call)) return applyLateResult(builder, { callId, frame, replaces: true });
  const { message, ...result } = readCallResult(call.toolName, frame);
  if (call.task) countUsage(builder, frame);
  if (local && call.state === 'waiting_approval') {
    if (result.outcome === 'PERMISSION_DENIED') return settleCall(builder, call, { ...deniedByUser(message), synthetic: false });
  } else if (result.outcome === 'APPROVAL_MISMATCH' && wasAllowedForFiles(call) && call.askedAnew < MAX_ASKED_ANEW) {
    return askAnew(builder, call);
  }
  settleCall(builder, unasked ? { ...call, asked: false } : call, result);
}

/** What another agent used for the turn counts in it. */
const countUsage = (builder: StepBuilder, frame: string): void => {
  const { usage } = JSON.parse(frame) as { readonly usage?: WireUsage };
  if (usage === undefined) return;
  const { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd } = usage;
  builder.change({ usage: addUsage(builder.runningTurn.usage, { inputTokens, outputTokens, costUsd }) });
};

/** A human or a rule that is bound to files allowed the call for what the files were. */
const wasAllowedForFiles = (call: OpenCall): boolean => call.asked || (call.state === 'ready' && call.bound === true);

/**
 * Takes a true result that comes after one that was made up here. While no model can have read the made-up one it counts instead; later
 * the model and the human are told by a note (R2, R5).
 */
export function applyLateResult(
  builder: StepBuilder,
  late: { readonly callId: string; readonly frame: string; readonly replaces: boolean },
): void {
  const { callId } = late;
  const call = builder.findCall(callId);
  if (call !== undefined) {
    if (call.state === 'settled' && call.result.synthetic) {
      builder.putCall({ ...call, result: { ...read(call.toolName, late.frame), inRecord: false } });
      reopenUse(builder, callId);
    }
    return;
  }
  const reported = builder.state.reported.find((one) => one.callId === callId);
  if (reported === undefined) {
    builder.events.push({ kind: 'ignored', what: 'a result of a call that is not known here', id: callId });
    return;
  }
  builder.state = { ...builder.state, reported: builder.state.reported.filter((one) => one.callId !== callId) };
  const result = read(reported.toolName, late.frame);
  if (late.replaces && reported.ofRow === undefined) return replaceInHistory(builder, reported, result);
  const { content } = result;
  const shown = content.length > MAX_NOTE_UNITS ? `${content.slice(0, MAX_NOTE_UNITS)} … (cut)` : content;
  const note = `The call ${callId} of ${reported.toolName}, whose result was not known, did end after all. Its true result: ${shown}`;
  builder.remember({ role: 'note', content: note, at_ms: builder.nowMs });
}

/** The row reads what did come of its last call. */
const reopenUse = (builder: StepBuilder, callId: string): void => {
  const use = usesOf(builder.runningTurn).find(({ callIds }) => callIds.at(-1) === callId);
  if (use?.row?.end !== undefined) builder.putUse({ ...use, row: { ...use.row, end: undefined } });
};

const read = (toolName: string, frame: string): CallResult => {
  const { message: _, ...result } = readCallResult(toolName, frame);
  return result;
};

/** The history is never rewritten: of two results of one call, whoever reads it takes the last. */
const replaceInHistory = (
  builder: StepBuilder,
  { callId, turnId, toolName, edited }: ReportedCall,
  { content, isError }: CallResult,
): void =>
  builder.remember({
    role: 'tool',
    turn_id: turnId,
    call_id: callId,
    tool_name: toolName,
    content,
    is_error: isError,
    edited_arguments: edited,
    at_ms: builder.nowMs,
  });
