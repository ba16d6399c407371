import type { CallRecord } from '@codelab/bus';
import { SENTENCES, syntheticResult } from '../calls/call-result.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { hasBegun } from '../calls/has-begun.js';
import { STOP_GRACE_MS } from '../turn/runtime-limits.js';
import { settleCall } from '../calls/settle-call.js';
import { targetOf } from '../calls/target-of.js';
import { callsOf, type Turn } from '../turn/turn-state.js';

/**
 * Cancels the turn that runs, if it is the one meant: questions are withdrawn at once; calls that may have begun get a moment to answer
 * truthfully, which `tool_cancel` in the log has asked for.
 */
export function applyCancel(builder: StepBuilder, turnId: string): void {
  const { turn, nowMs } = builder;
  if (turn?.turnId !== turnId || turn.cancelledAtMs !== undefined) return;
  builder.change({ cancelledAtMs: nowMs });
  for (const call of callsOf(turn)) {
    if (call.state !== 'waiting_approval') continue;
    const { callId, argsSha256 } = call;
    const by = builder.context.facts.sub;
    builder.record(call, { outcome: 'cancelled', by, target: targetOf(call) });
    builder.say({ type: 'approval_resolved', call_id: callId, outcome: 'cancelled', args_sha256: argsSha256, by, at_ms: nowMs });
    settleCall(builder, callId, syntheticResult('CANCELLED', SENTENCES.CANCELLED));
  }
}

/** When the calls of a cancelled turn have had their moment; nothing while there is none to wait for. */
export const cancelDueAt = (turn: Turn): number | undefined =>
  turn.cancelledAtMs !== undefined && callsOf(turn).some(({ state }) => state !== 'settled')
    ? turn.cancelledAtMs + STOP_GRACE_MS
    : undefined;

/** Gives every call that did not answer in time the result that is true of it: not run, or not known (R2). */
export function settleCancelled(builder: StepBuilder, records: ReadonlyMap<string, CallRecord>): void {
  const dueAt = cancelDueAt(builder.runningTurn);
  if (dueAt === undefined || builder.nowMs < dueAt) return;
  for (const call of callsOf(builder.runningTurn)) {
    if (call.state === 'settled') continue;
    const code = hasBegun(call, records.get(call.callId)) ? 'OUTCOME_UNKNOWN' : 'CANCELLED';
    settleCall(builder, call.callId, syntheticResult(code, SENTENCES[code]));
  }
}
