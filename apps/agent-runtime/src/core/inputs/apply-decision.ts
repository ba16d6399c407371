import type { DecisionRecord, InboxEntry } from '@codelab/bus';
import { type CallResult, SENTENCES, standardResult, syntheticResult } from '../calls/call-result.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { firstCheckAt } from '../calls/check-call.js';
import { settleCall } from '../calls/settle-call.js';
import type { Call } from '../turn/turn-state.js';

/**
 * Takes what somebody decided about one call, and about no other (H3). The decision itself is in the log already: an approved call is run
 * by the executor, a rejected one gets the result that says who refused it and in which words.
 */
export function applyDecision(builder: StepBuilder, { callId, decision }: Extract<InboxEntry, { kind: 'decision' }>): void {
  const call = builder.findCall(callId);
  if (call?.state !== 'waiting_approval') {
    builder.events.push({ kind: 'ignored', what: 'a decision about a call that waits for none', id: callId });
    return;
  }
  if (decision.outcome === 'approved' || decision.outcome === 'edited') return release(builder, call, decision);
  settleCall(builder, callId, refusalOf(decision));
}

const release = (builder: StepBuilder, call: Call, { args, argsSha256, atMs }: DecisionRecord): void => {
  builder.changeCall(call.callId, {
    state: 'ready',
    argsSha256,
    readyAtMs: atMs,
    checkAtMs: firstCheckAt(call, atMs, builder.context.facts),
    edited: args,
  });
  builder.sayStatus(call.callId, call.toolName, 'calling');
};

const refusalOf = ({ outcome, by, feedback = '' }: DecisionRecord): CallResult => {
  if (outcome === 'expired') return standardResult('APPROVAL_TIMED_OUT');
  if (outcome === 'cancelled') return standardResult('CANCELLED');
  const words = feedback.trim();
  if (by === 'policy') return syntheticResult('DENIED_BY_POLICY', words === '' ? 'No human is there to decide about this call.' : words);
  return deniedByUser(words);
};

/** A human said no; their words, if any, go with it. */
export const deniedByUser = (words: string): CallResult =>
  syntheticResult('DENIED_BY_USER', words === '' ? SENTENCES.DENIED_BY_USER : `${SENTENCES.DENIED_BY_USER} They said: ${words}`);
