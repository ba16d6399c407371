import { decodeServerFrame, JsonText, type ServerFrameOf, type CallRecord } from '@codelab/protocol';
import { encodeServerFrame } from './encode-server-frame.js';

/** The `tool_call` frame that a record was made from. */
export function readCallFrame(record: CallRecord): ServerFrameOf<'tool_call'> {
  const frame = decodeServerFrame(record.frame);
  if (frame?.type !== 'tool_call') throw new Error(`the record of ${record.callId} holds no tool_call frame`);
  return frame;
}

/** Whether the call still waits for a decision or a result. */
export const isOpen = (record: CallRecord): boolean => record.state !== 'answered';

/**
 * A call as it stands: its state, the decision, and the arguments to run now with their digest (H2). The text of a `tool_call` frame
 * with its `seq` if it is sent again.
 * @param audience a seed client sees a decided call as one that needs no approval, because it knows no other way to hear of the decision
 */
export function presentCall(record: CallRecord, audience: 'hello' | 'seed', redelivered: boolean): string {
  const frame = readCallFrame(record);
  const { decision } = record;
  const decided = decision === undefined ? {} : { outcome: decision.outcome, by: decision.by, at_ms: decision.atMs };
  return encodeServerFrame({
    ...frame,
    args: decision?.args === undefined ? frame.args : new JsonText(decision.args),
    args_sha256: record.argsSha256,
    fence: record.fence,
    state: record.state,
    requires_approval: frame.requires_approval && !(audience === 'seed' && record.state === 'ready'),
    ...(frame.approval === undefined ? {} : { approval: { ...frame.approval, ...decided } }),
    ...(redelivered ? { redelivered: true, ...(record.seq > 0 ? { seq: record.seq } : {}) } : {}),
  });
}
