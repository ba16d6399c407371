import { decodeServerFrame, ERRORS, refuse, type FrameHeadOf } from '@codelab/protocol';
import type { LoggedFrame } from '@codelab/bus';
import { letsRun, SKIP, type Audience, type Delivery } from './delivery.js';
import { encodeRefusal } from './encode-server-frame.js';

/**
 * What a client written from the seed alone gets of a frame of the log: text, calls that it executes, and errors (docs/specification/wire.md#seed-clients). It
 * is noted before any call is written to it, because nothing else tells how long it has had one (R2).
 */
export function translateForSeed({ head, text }: LoggedFrame, { role, tools, openCalls }: Audience): Delivery {
  if (head.type === 'assistant_message') return { kind: 'send', text };
  if (head.type === 'turn_ended') return translateEnd(head, text);
  if (role !== 'executor') return SKIP;
  if (head.type === 'tool_call') {
    const { call_id: callId, fence } = head;
    if (head.runs_at === 'server') return SKIP; // it would take the question for a call
    if (!tools.has(head.tool_name)) return { kind: 'lacking', callId, fence, isReady: head.state === 'ready' };
    return openCalls !== undefined && !openCalls.has(callId) ? SKIP : { kind: 'give', callId, fence, text };
  }
  return head.type === 'approval_resolved' && letsRun(head) ? { kind: 'decided', callId: head.call_id, text } : SKIP;
}

/** A completed turn has ended with its last text; of another end such a client hears as an error. */
function translateEnd({ status, turn_id: turnId }: FrameHeadOf<'turn_ended'>, text: string): Delivery {
  if (status === 'completed') return SKIP;
  const code = status === 'cancelled' ? 'CANCELLED' : 'TURN_FAILED';
  const ended = decodeServerFrame(text);
  const message = ended?.type === 'turn_ended' ? ended.error?.message : undefined;
  return { kind: 'send', text: encodeRefusal(refuse(code, message ?? ERRORS[code].meaning, turnId)) };
}
