import type { CallRecord } from '@codelab/protocol';
import { activeTimeOf } from '../turn/turn-times.js';
import { settleCancelled } from './apply-cancel.js';
import { checkCall } from '../calls/check-call.js';
import { timeOutTurn } from '../turn/decide-next-step.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { giveUpCall } from '../calls/settle-call.js';
import { type Call, callsOf } from '../turn/turn-state.js';
import { writePartialText } from '../model/stream-text.js';

/**
 * Lets time have its consequences: questions expire if a setting says so, calls are over their deadline, a turn is out of time. Nothing
 * runs out while a call is undecided or nobody is there to run it, unless the session says so (R4).
 * @param records the open calls as they stand; absent if {@link needsRecords} didn't ask for them
 */
export function applyTime(builder: StepBuilder, records: readonly CallRecord[] | undefined): void {
  if (builder.turn === undefined) return;
  stopOverdueTurn(builder);
  for (const call of callsOf(builder.runningTurn)) expire(builder, call);
  if (records === undefined) return;
  const byId = new Map(records.map((record) => [record.callId, record]));
  if (builder.runningTurn.cancelledAtMs !== undefined) return settleCancelled(builder, byId);
  for (const call of callsOf(builder.runningTurn)) {
    if (call.state === 'ready') checkCall(builder, call, byId.get(call.callId));
  }
}

const stopOverdueTurn = (builder: StepBuilder): void => {
  const turn = builder.runningTurn;
  const { phase } = turn;
  if (phase.kind !== 'asking' && phase.kind !== 'retrying') return;
  if (turn.activeMs + activeTimeOf(turn, builder.nowMs) < builder.context.limits.turnTimeoutMs) return;
  if (phase.kind === 'asking') writePartialText(builder, phase.step);
  builder.enter(timeOutTurn(builder.context.limits));
};

const expire = (builder: StepBuilder, call: Call): void => {
  if (call.state !== 'waiting_approval' || call.expiresAtMs === 0 || builder.nowMs < call.expiresAtMs) return;
  giveUpCall(builder, call, 'APPROVAL_TIMED_OUT');
};
