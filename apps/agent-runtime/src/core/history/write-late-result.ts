import type { CallResult } from '../calls/call-result.js';
import type { Draft } from '../turn/draft.js';
import { readCallResult } from '../calls/read-call-result.js';
import { MAX_NOTE_UNITS } from '../turn/runtime-limits.js';
import type { ReportedCall } from '../turn/turn-state.js';

/**
 * Takes a true result that comes after one that was made up here. While no model can have read the made-up one it counts instead; later
 * the model and the human are told by a note (R2, R5).
 */
export function writeLateResult(draft: Draft, late: { readonly callId: string; readonly frame: string; readonly replaces: boolean }): void {
  const { callId } = late;
  const call = draft.findCall(callId);
  if (call !== undefined) {
    if (call.result?.synthetic === true) draft.changeCall(callId, { result: { ...read(call.toolName, late.frame), inRecord: false } });
    return;
  }
  const reported = draft.state.reported.find((one) => one.callId === callId);
  if (reported === undefined) {
    draft.events.push({ kind: 'ignored', what: 'a result of a call that is not known here', id: callId });
    return;
  }
  draft.state = { ...draft.state, reported: draft.state.reported.filter((one) => one.callId !== callId) };
  const result = read(reported.toolName, late.frame);
  if (late.replaces) return replaceInHistory(draft, reported, result);
  const { content } = result;
  const shown = content.length > MAX_NOTE_UNITS ? `${content.slice(0, MAX_NOTE_UNITS)} … (cut)` : content;
  const note = `The call ${callId} of ${reported.toolName}, whose result was not known, did end after all. Its true result: ${shown}`;
  draft.remember({ role: 'note', content: note, at_ms: draft.nowMs });
}

const read = (toolName: string, frame: string): CallResult => {
  const { message: _, ...result } = readCallResult(toolName, frame);
  return result;
};

/** The history is never rewritten: of two results of one call, whoever reads it takes the last. */
const replaceInHistory = (draft: Draft, { callId, turnId, toolName, edited }: ReportedCall, { content, isError }: CallResult): void =>
  draft.remember({
    role: 'tool',
    turn_id: turnId,
    call_id: callId,
    tool_name: toolName,
    content,
    is_error: isError,
    edited_arguments: edited,
    at_ms: draft.nowMs,
  });
