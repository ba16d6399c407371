import { decodeServerFrame, ERRORS, refuse, type FrameHeadOf, type ServerFrame } from '@codelab/protocol';
import type { LoggedFrame } from '@codelab/bus';
import { isOptIn, letsRun, SERVER_CALLS, SKIP, type Audience, type Delivery } from './delivery.js';
import { encodeRefusal, encodeServerFrame } from './encode-server-frame.js';

const NONE: ReadonlySet<string> = new Set();

/** What becomes of a frame of the log for a client. @param hello absent for a seed client */
export const translate = (
  frame: LoggedFrame,
  hello: Pick<Audience, 'capabilities'> | undefined,
  { role, tools, openCalls }: Omit<Audience, 'capabilities'>,
): Delivery =>
  (hello === undefined ? translateForSeed : translateForHello)(frame, {
    role,
    capabilities: hello?.capabilities ?? NONE,
    tools,
    openCalls,
  });

/**
 * What a client that said `hello` gets of a frame of the log: everything but opt-in frames that it didn't name. An executor is noted before
 * an unsafe call that may run is written to it, or the decision that lets it run (R2); an older connection of the executor's client gets
 * no call, and no client one of a tool that it lacks. A call that the servers run is shown to everybody alike while it waits for a decision, and else to those who
 * want to see it. A call that was answered since is replayed as answered.
 */
function translateForHello({ head, text }: LoggedFrame, audience: Audience): Delivery {
  if (isOptIn(head.type) && !audience.capabilities.has(head.type)) return SKIP;
  if (head.type === 'tool_call') return translateCall(head, text, audience);
  if (head.type === 'approval_resolved' && audience.role === 'executor' && letsRun(head)) {
    return { kind: 'decided', callId: head.call_id, text };
  }
  return { kind: 'send', text };
}

function translateCall(head: FrameHeadOf<'tool_call'>, text: string, { role, tools, openCalls, capabilities }: Audience): Delivery {
  const { call_id: callId, fence } = head;
  const isReady = head.state === 'ready';
  if (head.runs_at === 'server' && isReady && !capabilities.has(SERVER_CALLS)) return SKIP;
  if (head.runs_at === 'server' && (openCalls === undefined || openCalls.has(callId))) return { kind: 'send', text };
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

/**
 * What a client written from the seed alone gets of a frame of the log: text, calls that it executes, and errors (docs/specification/wire.md#seed-clients). It
 * is noted before any call is written to it, because nothing else tells how long it has had one (R2).
 */
function translateForSeed({ head, text }: LoggedFrame, { role, tools, openCalls }: Audience): Delivery {
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
