import type { CallResult } from './call-result.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { MAX_NOTE_UNITS, MAX_REPORTED } from '../turn/runtime-limits.js';
import type { Call } from '../turn/turn-state.js';

/**
 * Gives a call its result. A result that is made up here closes the call's record at once, so that a true one that comes later is known
 * to be late (R2).
 */
export function settleCall(builder: StepBuilder, callId: string, result: CallResult): void {
  const call = builder.findCall(callId);
  if (call === undefined) return;
  const closes = result.synthetic && !call.closed;
  if (closes) builder.calls.push({ kind: 'close', callId, synthetic: true });
  builder.changeCall(callId, { state: 'settled', result, checkAtMs: 0, closed: call.closed || closes });
  if (result.synthetic) reportCall(builder, call);
  builder.sayStatus(callId, call.toolName, !result.isError ? 'done' : result.outcome === 'CANCELLED' ? 'canceled' : 'errored');
  builder.events.push({ kind: 'call_settled', callId, toolName: call.toolName, outcome: result.outcome });
}

const reportCall = (builder: StepBuilder, { callId, toolName, edited }: Call): void => {
  const { turnId } = builder.runningTurn;
  const others = builder.state.reported.filter((call) => call.callId !== callId);
  const isSmall = edited !== undefined && edited.length <= MAX_NOTE_UNITS;
  const reported = { callId, turnId, toolName, ...(isSmall ? { edited } : {}) };
  builder.state = { ...builder.state, reported: [...others, reported].slice(-MAX_REPORTED) };
};
