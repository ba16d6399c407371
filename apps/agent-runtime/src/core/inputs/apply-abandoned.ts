import { SENTENCES, syntheticResult } from '../calls/call-result.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { settleCall } from '../calls/settle-call.js';
import { targetOf } from '../calls/target-of.js';

/**
 * Ends a call that went to a connection which is gone, of a client without identity that has come back and says something else: nobody
 * will answer it, and whether it took effect is not known (R2; design, section 3.3).
 */
export function applyAbandoned(builder: StepBuilder, callId: string): void {
  const call = builder.findCall(callId);
  if (call === undefined || call.state === 'settled') return;
  if (call.state === 'waiting_approval') {
    const { argsSha256: args_sha256 } = call;
    const by = builder.context.facts.sub;
    builder.record(call, { outcome: 'cancelled', by, target: targetOf(call) });
    builder.say({ type: 'approval_resolved', call_id: callId, outcome: 'cancelled', args_sha256, by, at_ms: builder.nowMs });
  }
  settleCall(builder, callId, syntheticResult('OUTCOME_UNKNOWN', SENTENCES.OUTCOME_UNKNOWN));
}
