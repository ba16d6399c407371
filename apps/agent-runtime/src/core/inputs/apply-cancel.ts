import type { CallRecord } from '@codelab/protocol';
import type { StepBuilder } from '../turn/step-builder.js';
import { hasBegun } from '../calls/check-call.js';
import { cancelDueAt } from '../turn/turn-times.js';
import { giveUpCall, writeResults } from '../calls/settle-call.js';
import { writePartialText } from '../model/stream-text.js';
import { callsOf, isOpen } from '../turn/turn-state.js';

/**
 * Cancels the turn that runs, if it is the one meant: questions are withdrawn at once; calls that may have begun get a moment to answer
 * truthfully, which `tool_cancel` in the log has asked for.
 */
export function applyCancel(builder: StepBuilder, turnId: string): void {
  const { turn, nowMs } = builder;
  if (turn?.turnId !== turnId || turn.cancelledAtMs !== undefined) return;
  builder.change({ cancelledAtMs: nowMs });
  for (const call of callsOf(turn)) {
    if (call.state === 'waiting_approval') giveUpCall(builder, call, 'CANCELLED');
  }
}

/** Gives every call that did not answer in time the result that is true of it: not run, or not known (R2). */
export function settleCancelled(builder: StepBuilder, records: ReadonlyMap<string, CallRecord>): void {
  const dueAt = cancelDueAt(builder.runningTurn);
  if (dueAt === undefined || builder.nowMs < dueAt) return;
  for (const call of callsOf(builder.runningTurn)) {
    if (isOpen(call)) giveUpCall(builder, call, hasBegun(call, records.get(call.callId)) ? 'OUTCOME_UNKNOWN' : 'CANCELLED');
  }
}

/**
 * Ends a call that went to a connection which is gone, of a client without identity that has come back and says something else: nobody
 * will answer it, and whether it took effect is not known (R2; docs/specification/calls.md#seed-clients).
 */
export function applyAbandoned(builder: StepBuilder, callId: string): void {
  const call = builder.findCall(callId);
  if (call !== undefined && isOpen(call)) giveUpCall(builder, call, 'OUTCOME_UNKNOWN');
}

/**
 * Fails the turn because a result of it has no room in the store: the human reads whose quota it is and what to delete. Questions are withdrawn, and
 * of a call that may have run nothing is known, because its result was not taken (R2, R5).
 */
export function applyQuota(builder: StepBuilder, turnId: string, message: string): void {
  const { turn } = builder;
  if (turn?.turnId !== turnId || turn.phase.kind === 'failed') return;
  for (const call of callsOf(turn)) {
    if (isOpen(call)) giveUpCall(builder, call, call.state === 'waiting_approval' ? 'CANCELLED' : 'OUTCOME_UNKNOWN');
  }
  if (turn.phase.kind === 'calling') writeResults(builder);
  if (turn.phase.kind === 'asking') writePartialText(builder, turn.phase.step);
  builder.enter({ kind: 'failed', error: { code: 'QUOTA', message } });
}
