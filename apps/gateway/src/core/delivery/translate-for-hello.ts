import { decodeServerFrame, type ServerFrame } from '@codelab/protocol';
import { isOptIn, readCallHead, readRunnableDecision, SKIP, type Audience, type Delivery } from './delivery.js';
import { encodeServerFrame } from './encode-server-frame.js';
import type { LogFrame } from './log-frame.js';

/**
 * What a client that said `hello` gets of a frame of the log: everything but opt-in frames that it didn't name. An executor is noted before
 * an unsafe call that may run is written to it, or the decision that lets it run (R2); an older connection of the executor's client gets
 * no call, and no client one of a tool that it lacks. A call that llm-proxy runs is shown while it waits for a decision, to everybody alike. A call that was answered since is replayed as answered.
 */
export function translateForHello(frame: LogFrame, audience: Audience): Delivery {
  const { type, text } = frame;
  if (isOptIn(type) && !audience.capabilities.has(type)) return SKIP;
  if (type === 'tool_call') return translateCall(text, audience);
  if (type === 'approval_resolved' && audience.role === 'executor') {
    const callId = readRunnableDecision(text);
    if (callId !== undefined) return { kind: 'decided', callId, text };
  }
  return { kind: 'send', text };
}

function translateCall(text: string, { role, tools, openCalls }: Audience): Delivery {
  const { callId, toolName, fence, isSafe, isReady, isServers } = readCallHead(text);
  if (isServers) return isReady ? SKIP : { kind: 'send', text };
  if (role === 'observer' && openCalls === undefined) return { kind: 'send', text };
  if (openCalls !== undefined && !openCalls.has(callId)) return { kind: 'send', text: markAnswered(text) };
  if (role === 'standby') return SKIP;
  if (role === 'executor' && !tools.has(toolName)) return { kind: 'lacking', callId, fence, isReady };
  return role === 'observer' || isSafe || !isReady ? { kind: 'send', text } : { kind: 'give', callId, fence, text };
}

/** A replayed call that has its answer: to be shown, and not to be run again. */
const markAnswered = (text: string): string => {
  const frame = decodeServerFrame(text);
  return encodeServerFrame({ ...frame, state: 'answered', redelivered: true } as ServerFrame);
};
