import type { CallRecord } from '@codelab/bus';
import { decodeServerFrame, JsonText } from '@codelab/protocol';
import type { StepBuilder } from '../turn/step-builder.js';
import { type Call, callsOf } from '../turn/turn-state.js';

/**
 * Gives open calls to another executor: safe ones that the old one had. A call that nobody was given goes to whoever executes without
 * this; an unsafe one that was written to a socket never moves by itself (R2).
 */
export function applyExecutor(builder: StepBuilder, executor: string, records: readonly CallRecord[]): void {
  if (builder.turn === undefined || executor === '') return;
  const byId = new Map(records.map((record) => [record.callId, record]));
  for (const call of callsOf(builder.turn)) {
    const record = byId.get(call.callId);
    if (record !== undefined && moves(call, record, executor)) reassign(builder, call, record);
  }
}

const moves = (call: Call, record: CallRecord, executor: string): boolean =>
  call.state !== 'settled' &&
  call.idempotency === 'safe' &&
  record.state !== 'answered' &&
  record.givenTo !== '' &&
  record.givenTo !== executor;

const reassign = (builder: StepBuilder, call: Call, record: CallRecord): void => {
  const first = decodeServerFrame(record.frame);
  if (first?.type !== 'tool_call') throw new Error(`the call ${call.callId} has no frame to give on`);
  const fence = record.fence + 1;
  const decided = call.state === 'ready';
  const args = call.edited === undefined ? first.args : new JsonText(call.edited);
  const state = decided ? ('ready' as const) : ('waiting_approval' as const);
  const frame = { ...first, args, args_sha256: call.argsSha256, fence, state, requires_approval: call.asked && !decided };
  builder.calls.push({ kind: 'reassign', callId: call.callId, fence });
  builder.say(frame);
  builder.changeCall(call.callId, { fence, givenAtMs: 0, stoppedAtMs: 0 });
};
