import type { Draft } from '../turn/draft.js';
import { callsOf } from '../turn/turn-state.js';

/**
 * Puts the results of an answer into the history, one for each call and in the order of the calls, and closes what is still open (R5). A call
 * that is handed over gets its result elsewhere; no model is asked here any more.
 */
export function writeResults(draft: Draft): void {
  const { turnId } = draft.runningTurn;
  for (const { callId, toolName, result, edited, closed, handedOver } of callsOf(draft.runningTurn)) {
    if (handedOver === true) continue;
    if (result === undefined) throw new Error(`the call ${callId} has no result to write`);
    draft.remember({
      role: 'tool',
      turn_id: turnId,
      call_id: callId,
      tool_name: toolName,
      content: result.content,
      is_error: result.isError,
      edited_arguments: edited,
      at_ms: draft.nowMs,
    });
    if (!closed) draft.calls.push({ kind: 'close', callId, synthetic: result.synthetic });
  }
}
