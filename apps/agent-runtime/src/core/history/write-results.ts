import type { StepBuilder } from '../turn/step-builder.js';
import { callsOf } from '../turn/turn-state.js';

/**
 * Puts the results of an answer into the history, one for each call and in the order of the calls, and closes what is still open (R5). A call
 * that is handed over gets its result elsewhere; no model is asked here any more.
 */
export function writeResults(builder: StepBuilder): void {
  const { turnId } = builder.runningTurn;
  for (const { callId, toolName, result, edited, closed, handedOver } of callsOf(builder.runningTurn)) {
    if (handedOver === true) continue;
    if (result === undefined) throw new Error(`the call ${callId} has no result to write`);
    builder.remember({
      role: 'tool',
      turn_id: turnId,
      call_id: callId,
      tool_name: toolName,
      content: result.content,
      is_error: result.isError,
      edited_arguments: edited,
      at_ms: builder.nowMs,
    });
    if (!closed) builder.calls.push({ kind: 'close', callId, synthetic: result.synthetic });
  }
}
