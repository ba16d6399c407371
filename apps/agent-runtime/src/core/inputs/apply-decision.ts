import type { InboxEntry } from '@codelab/bus';
import { type DecisionRecord, letsRun } from '@codelab/protocol';
import { type CallResult, SENTENCES, standardResult, syntheticResult } from '../calls/call-result.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { firstCheckAt } from '../calls/check-call.js';
import { settleCall } from '../calls/settle-call.js';
import { decidePlan, isPlan } from '../plans/decide-plan.js';
import { callsOf, type UndecidedCall } from '../turn/turn-state.js';
import { REVIEW_MS } from '../turn/runtime-limits.js';

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
  if (isPlan(builder.context.facts, call)) return decidePlan(builder, call, decision, refusalOf(decision));
  if (letsRun(decision.outcome)) release(builder, call, decision);
  else settleCall(builder, call, refusalOf(decision));
  const others = callsOf(builder.runningTurn).some(({ state }) => state === 'waiting_approval');
  if (decision.remembered && others) builder.change({ reviewAtMs: builder.nowMs + REVIEW_MS });
}

/** A decided call is for its executor to run. */
export const release = (builder: StepBuilder, call: UndecidedCall, { args, argsSha256, atMs }: DecisionRecord): void => {
  const { expiresAtMs: _, loop: _loop, ...facts } = call;
  const checkAtMs = firstCheckAt(call, atMs, builder.context.facts);
  builder.putCall({ ...facts, state: 'ready', argsSha256, readyAtMs: atMs, checkAtMs, givenAtMs: 0, stoppedAtMs: 0, edited: args });
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
