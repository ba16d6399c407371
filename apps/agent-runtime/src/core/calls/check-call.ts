import type { CallRecord } from '@codelab/bus';
import { SENTENCES, syntheticResult } from './call-result.js';
import type { Draft } from '../turn/draft.js';
import { isGivenToSeed } from './has-begun.js';
import { DEADLINE_GRACE_MS, MAX_CHECK_PAUSE_MS, STOP_GRACE_MS } from '../turn/runtime-limits.js';
import { settleCall } from './settle-call.js';
import type { Call } from '../turn/turn-state.js';

/**
 * Looks how far the executor is with a call that should run. A call that was begun is stopped after its deadline; one
 * that nobody has begun waits, and is looked at again later and later, unless the session has a grace for absent clients.
 */
export function checkCall(draft: Draft, call: Call, record: CallRecord | undefined): void {
  if (call.state !== 'ready') return;
  if (record === undefined || record.state === 'answered') return comeBack(draft, call); // its result is on its way
  if (record.progress === 'started') return checkStarted(draft, call, record.startedAtMs);
  if (isGivenToSeed(record)) return checkSeed(draft, call);
  if (record.progress === '' && checkGrace(draft, call)) return;
  if (draft.nowMs < call.checkAtMs) return;
  const waited = draft.nowMs - call.readyAtMs;
  const pause = Math.min(Math.max(call.deadlineMs + DEADLINE_GRACE_MS, waited), MAX_CHECK_PAUSE_MS);
  again(draft, call, draft.nowMs + pause);
}

const again = (draft: Draft, { callId }: Call, checkAtMs: number): void => draft.changeCall(callId, { checkAtMs });

const comeBack = (draft: Draft, call: Call): void => {
  if (draft.nowMs >= call.checkAtMs) again(draft, call, draft.nowMs + DEADLINE_GRACE_MS);
};

const checkStarted = (draft: Draft, call: Call, startedAtMs: number): void => {
  const { nowMs } = draft;
  const limit = startedAtMs + call.deadlineMs + DEADLINE_GRACE_MS;
  if (nowMs < limit) return again(draft, call, limit);
  if (call.stoppedAtMs === 0) {
    draft.say({ type: 'tool_cancel', call_id: call.callId, reason: 'timeout' });
    return draft.changeCall(call.callId, { stoppedAtMs: nowMs, checkAtMs: nowMs + STOP_GRACE_MS });
  }
  if (nowMs < call.stoppedAtMs + STOP_GRACE_MS) return;
  const code = call.idempotency === 'safe' ? 'TIMEOUT' : 'OUTCOME_UNKNOWN';
  settleCall(draft, call.callId, syntheticResult(code, SENTENCES[code]));
};

/** A client without identity says nothing of a call before its result: its time counts from when it was seen to have the call. */
const checkSeed = (draft: Draft, call: Call): void => {
  const { nowMs } = draft;
  const givenAtMs = call.givenAtMs === 0 ? nowMs : call.givenAtMs;
  if (call.idempotency === 'unsafe' && nowMs >= givenAtMs + call.deadlineMs) {
    draft.say({ type: 'tool_cancel', call_id: call.callId, reason: 'timeout' });
    return settleCall(draft, call.callId, syntheticResult('OUTCOME_UNKNOWN', SENTENCES.OUTCOME_UNKNOWN));
  }
  const checkAtMs = call.idempotency === 'unsafe' ? givenAtMs + call.deadlineMs : nowMs + MAX_CHECK_PAUSE_MS;
  if (nowMs >= call.checkAtMs) draft.changeCall(call.callId, { givenAtMs, checkAtMs });
};

/** Whether the session's grace for an absent client has run out, or when to look again for it. */
const checkGrace = (draft: Draft, call: Call): boolean => {
  const { clientGraceMs } = draft.context.facts;
  if (clientGraceMs === 0) return false;
  if (draft.nowMs < call.readyAtMs + clientGraceMs) {
    again(draft, call, call.readyAtMs + clientGraceMs);
    return true;
  }
  draft.say({ type: 'tool_cancel', call_id: call.callId, reason: 'timeout' });
  settleCall(draft, call.callId, syntheticResult('CLIENT_DISCONNECTED', SENTENCES.CLIENT_DISCONNECTED));
  return true;
};
