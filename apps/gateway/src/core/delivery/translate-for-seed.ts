import { ERRORS, refuse } from '@codelab/protocol';
import { readCallHead, readRunnableDecision, SKIP, type Audience, type Delivery } from './delivery.js';
import { encodeRefusal } from './encode-server-frame.js';
import { readFields, type LogFrame } from './log-frame.js';

/**
 * What a client written from the seed alone gets of a frame of the log: text, calls that it executes, and errors (docs/specification/wire.md#seed-clients). It
 * is noted before any call is written to it, because nothing else tells how long it has had one (R2).
 */
export function translateForSeed({ type, text }: LogFrame, { role, tools, openCalls }: Audience): Delivery {
  if (type === 'assistant_message') return { kind: 'send', text };
  if (type === 'turn_ended') return translateEnd(text);
  if (role !== 'executor') return SKIP;
  if (type === 'tool_call') {
    const { callId, toolName, fence, isReady, isServers } = readCallHead(text);
    if (isServers) return SKIP; // it would take the question for a call
    if (!tools.has(toolName)) return { kind: 'lacking', callId, fence, isReady };
    return openCalls !== undefined && !openCalls.has(callId) ? SKIP : { kind: 'give', callId, fence, text };
  }
  const decided = type === 'approval_resolved' ? readRunnableDecision(text) : undefined;
  return decided === undefined ? SKIP : { kind: 'decided', callId: decided, text };
}

/** A completed turn has ended with its last text; of another end such a client hears as an error. */
function translateEnd(text: string): Delivery {
  const { status, turn_id, error } = readFields(text, ['status', 'turn_id', 'error']);
  if (status === 'completed') return SKIP;
  const code = status === 'cancelled' ? 'CANCELLED' : 'TURN_FAILED';
  const { message } = (error ?? {}) as { readonly message?: unknown };
  const sentence = typeof message === 'string' ? message : ERRORS[code].meaning;
  return { kind: 'send', text: encodeRefusal(refuse(code, sentence, String(turn_id))) };
}
