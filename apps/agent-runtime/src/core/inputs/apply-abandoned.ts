import { standardResult } from '../calls/call-result.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { settleCall, withdrawQuestion } from '../calls/settle-call.js';
import { isOpen } from '../turn/turn-state.js';

/**
 * Ends a call that went to a connection which is gone, of a client without identity that has come back and says something else: nobody
 * will answer it, and whether it took effect is not known (R2; docs/specification/calls.md#seed-clients).
 */
export function applyAbandoned(builder: StepBuilder, callId: string): void {
  const call = builder.findCall(callId);
  if (call === undefined || !isOpen(call)) return;
  if (call.state === 'waiting_approval') withdrawQuestion(builder, call, 'cancelled');
  settleCall(builder, call, standardResult('OUTCOME_UNKNOWN'));
}
