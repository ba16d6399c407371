import { decodeServerFrame, type FrameHeadOf, type ServerFrame } from '@codelab/protocol';
import type { LoggedFrame } from '@codelab/bus';
import { isOptIn, letsRun, SKIP, type Audience, type Delivery } from './delivery.js';
import { encodeServerFrame } from './encode-server-frame.js';

/**
 * What a client that said `hello` gets of a frame of the log: everything but opt-in frames that it didn't name. An executor is noted before
 * an unsafe call that may run is written to it, or the decision that lets it run (R2); an older connection of the executor's client gets
 * no call, and no client one of a tool that it lacks. A call that llm-proxy runs is shown while it waits for a decision, to everybody alike. A call that was answered since is replayed as answered.
 */
export function translateForHello({ head, text }: LoggedFrame, audience: Audience): Delivery {
  if (isOptIn(head.type) && !audience.capabilities.has(head.type)) return SKIP;
  if (head.type === 'tool_call') return translateCall(head, text, audience);
  if (head.type === 'approval_resolved' && audience.role === 'executor' && letsRun(head)) {
    return { kind: 'decided', callId: head.call_id, text };
  }
  return { kind: 'send', text };
}

function translateCall(head: FrameHeadOf<'tool_call'>, text: string, { role, tools, openCalls }: Audience): Delivery {
  const { call_id: callId, fence } = head;
  const isReady = head.state === 'ready';
  if (head.runs_at === 'server') return isReady ? SKIP : { kind: 'send', text };
  if (role === 'observer' && openCalls === undefined) return { kind: 'send', text };
  if (openCalls !== undefined && !openCalls.has(callId)) return { kind: 'send', text: markAnswered(text) };
  if (role === 'standby') return SKIP;
  if (role === 'executor' && !tools.has(head.tool_name)) return { kind: 'lacking', callId, fence, isReady };
  return role === 'observer' || head.idempotency === 'safe' || !isReady ? { kind: 'send', text } : { kind: 'give', callId, fence, text };
}

/** A replayed call that has its answer: to be shown, and not to be run again. */
const markAnswered = (text: string): string => {
  const frame = decodeServerFrame(text);
  return encodeServerFrame({ ...frame, state: 'answered', redelivered: true } as ServerFrame);
};
