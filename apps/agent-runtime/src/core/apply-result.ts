import type { InboxEntry } from '@codelab/bus';
import { decodeServerFrame } from '@codelab/protocol';
import { deniedByUser } from './apply-decision.js';
import type { Draft } from './draft.js';
import { readToolResult } from './read-tool-result.js';
import { MAX_ASKED_ANEW } from './runtime-limits.js';
import { settleCall } from './settle-call.js';
import type { Call } from './turn-state.js';
import { writeLateResult } from './write-late-result.js';

type ResultEntry = Extract<InboxEntry, { kind: 'result' }>;

/**
 * Takes the first result of a call. A result that a client without identity sends for an undecided call is its decision, made there and in the
 * log already. A result that says that something else was approved than would be done puts the question again, and nothing was done.
 */
export function applyResult(draft: Draft, { callId, frame, local }: ResultEntry): void {
  const call = draft.findCall(callId);
  if (call === undefined || call.state === 'settled') return writeLateResult(draft, { callId, frame, replaces: true });
  const { message, ...result } = readToolResult(frame);
  if (local && call.state === 'waiting_approval') {
    if (result.outcome === 'PERMISSION_DENIED') return settleCall(draft, callId, { ...deniedByUser(message), synthetic: false });
  } else if (result.outcome === 'APPROVAL_MISMATCH' && call.asked && call.askedAnew < MAX_ASKED_ANEW) {
    return askAnew(draft, call);
  }
  settleCall(draft, callId, result);
}

const askAnew = (draft: Draft, call: Call): void => {
  const first = decodeServerFrame(call.frame);
  if (first?.type !== 'tool_call') throw new Error(`the call ${call.callId} has no frame to ask with`);
  const { args_sha256 } = first;
  draft.calls.push({ kind: 'ask_again', callId: call.callId });
  draft.say({ ...first, fence: call.fence, state: 'waiting_approval', requires_approval: true });
  draft.sayStatus(call.callId, call.toolName, 'waiting_approval');
  const { edited: _, ...rest } = call;
  const again: Call = {
    ...rest,
    state: 'waiting_approval',
    askedAnew: call.askedAnew + 1,
    argsSha256: args_sha256,
    readyAtMs: 0,
    checkAtMs: 0,
  };
  replaceCall(draft, again);
};

const replaceCall = (draft: Draft, call: Call): void => {
  const { phase } = draft.runningTurn;
  if (phase.kind !== 'calling') return;
  draft.change({ phase: { kind: 'calling', calls: phase.calls.map((other) => (other.callId === call.callId ? call : other)) } });
};
