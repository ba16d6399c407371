import type { CallRecord } from '@codelab/bus';
import { activeTimeOf } from '../turn/active-time.js';
import { settleCancelled } from './apply-cancel.js';
import { SENTENCES, syntheticResult } from '../calls/call-result.js';
import { checkCall } from '../calls/check-call.js';
import { timeOutTurn } from '../turn/decide-next-step.js';
import type { Draft } from '../turn/draft.js';
import { settleCall } from '../calls/settle-call.js';
import { targetOf } from '../calls/target-of.js';
import { callsOf, type Call } from '../turn/turn-state.js';
import { writePartialText } from '../history/write-partial-text.js';

/**
 * Lets time have its consequences: questions expire if a setting says so, calls are over their deadline, a turn is out of time. Nothing
 * runs out while a call is undecided or nobody is there to run it, unless the session says so (R4).
 * @param records the open calls as they stand; absent if {@link needsRecords} didn't ask for them
 */
export function applyTime(draft: Draft, records: readonly CallRecord[] | undefined): void {
  if (draft.turn === undefined) return;
  stopOverdueTurn(draft);
  for (const call of callsOf(draft.runningTurn)) expire(draft, call);
  if (records === undefined) return;
  const byId = new Map(records.map((record) => [record.callId, record]));
  if (draft.runningTurn.cancelledAtMs !== undefined) return settleCancelled(draft, byId);
  for (const call of callsOf(draft.runningTurn)) checkCall(draft, call, byId.get(call.callId));
}

const stopOverdueTurn = (draft: Draft): void => {
  const turn = draft.runningTurn;
  const { phase } = turn;
  if (phase.kind !== 'asking' && phase.kind !== 'retrying') return;
  if (turn.activeMs + activeTimeOf(turn, draft.nowMs) < draft.context.limits.turnTimeoutMs) return;
  if (phase.kind === 'asking') writePartialText(draft, phase.step);
  draft.enter(timeOutTurn(draft.context.limits));
};

const expire = (draft: Draft, call: Call): void => {
  const { callId, state, expiresAtMs, argsSha256 } = call;
  if (state !== 'waiting_approval' || expiresAtMs === 0 || draft.nowMs < expiresAtMs) return;
  draft.say({ type: 'approval_resolved', call_id: callId, outcome: 'expired', args_sha256: argsSha256, by: 'policy', at_ms: draft.nowMs });
  draft.record(call, { outcome: 'expired', by: 'policy', target: targetOf(call) });
  settleCall(draft, callId, syntheticResult('APPROVAL_TIMED_OUT', SENTENCES.APPROVAL_TIMED_OUT));
};
