import type { DecisionRecord, InboxEntry } from '@codelab/bus';
import { SENTENCES, syntheticResult, type CallResult } from '../calls/call-result.js';
import type { Draft } from '../turn/draft.js';
import { firstCheckAt } from '../calls/first-check-at.js';
import { settleCall } from '../calls/settle-call.js';
import type { Call } from '../turn/turn-state.js';

/**
 * Takes what somebody decided about one call, and about no other (H3). The decision itself is in the log already: an approved call is run
 * by the executor, a rejected one gets the result that says who refused it and in which words.
 */
export function applyDecision(draft: Draft, { callId, decision }: Extract<InboxEntry, { kind: 'decision' }>): void {
  const call = draft.findCall(callId);
  if (call?.state !== 'waiting_approval') {
    draft.events.push({ kind: 'ignored', what: 'a decision about a call that waits for none', id: callId });
    return;
  }
  if (decision.outcome === 'approved' || decision.outcome === 'edited') return release(draft, call, decision);
  settleCall(draft, callId, refusalOf(decision));
}

const release = (draft: Draft, call: Call, { args, argsSha256, atMs }: DecisionRecord): void => {
  draft.changeCall(call.callId, {
    state: 'ready',
    argsSha256,
    readyAtMs: atMs,
    checkAtMs: firstCheckAt(call, atMs, draft.context.facts),
    edited: args,
  });
  draft.sayStatus(call.callId, call.toolName, 'calling');
};

const refusalOf = ({ outcome, by, feedback = '' }: DecisionRecord): CallResult => {
  if (outcome === 'expired') return syntheticResult('APPROVAL_TIMED_OUT', SENTENCES.APPROVAL_TIMED_OUT);
  if (outcome === 'cancelled') return syntheticResult('CANCELLED', SENTENCES.CANCELLED);
  const words = feedback.trim();
  if (by === 'policy') return syntheticResult('DENIED_BY_POLICY', words === '' ? 'No human is there to decide about this call.' : words);
  return deniedByUser(words);
};

/** A human said no; their words, if any, go with it. */
export const deniedByUser = (words: string): CallResult =>
  syntheticResult('DENIED_BY_USER', words === '' ? SENTENCES.DENIED_BY_USER : `${SENTENCES.DENIED_BY_USER} They said: ${words}`);
