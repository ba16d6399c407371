import { isSeedName, type CallRecord } from '@codelab/protocol';
import { SEED_EXECUTOR } from '@codelab/tools';
import type { StepBuilder } from '../turn/step-builder.js';
import type { SessionFacts } from '../session/session-facts.js';
import { TASK_CHECK_MS } from '../tasks/task-tool.js';
import { DEADLINE_GRACE_MS, MAX_CHECK_PAUSE_MS, STOP_GRACE_MS } from '../turn/runtime-limits.js';
import { giveUpCall } from './settle-call.js';
import type { OpenCall, ReadyCall } from '../turn/turn-state.js';

/**
 * Looks how far the executor is with a call that should run. A call that was begun is stopped after its deadline; one
 * that nobody has begun waits, and is looked at again later and later, unless the session has a grace for absent clients.
 */
export function checkCall(builder: StepBuilder, call: ReadyCall, record: CallRecord | undefined): void {
  if (record === undefined || record.state === 'answered') return comeBack(builder, call); // its result is on its way
  if (call.task) return lookAgain(builder, call);
  if (record.progress === 'started') return checkStarted(builder, call, record.startedAtMs);
  if (isGivenToSeed(record)) return checkSeed(builder, call);
  if (record.progress === '' && call.server === undefined && checkGrace(builder, call)) return;
  if (builder.nowMs < call.checkAtMs) return;
  const waited = builder.nowMs - call.readyAtMs;
  const pause = Math.min(Math.max(call.deadlineMs + DEADLINE_GRACE_MS, waited), MAX_CHECK_PAUSE_MS);
  again(builder, call, builder.nowMs + pause);
}

const again = (builder: StepBuilder, call: ReadyCall, checkAtMs: number): void => builder.putCall({ ...call, checkAtMs });

/** Another agent has its own limits; each look makes sure that it is there (`Tasks`). */
const lookAgain = (builder: StepBuilder, call: ReadyCall): void => {
  if (builder.nowMs >= call.checkAtMs) again(builder, call, builder.nowMs + TASK_CHECK_MS);
};

const comeBack = (builder: StepBuilder, call: ReadyCall): void => {
  if (builder.nowMs >= call.checkAtMs) again(builder, call, builder.nowMs + DEADLINE_GRACE_MS);
};

const checkStarted = (builder: StepBuilder, call: ReadyCall, startedAtMs: number): void => {
  const { nowMs } = builder;
  const limit = startedAtMs + call.deadlineMs + DEADLINE_GRACE_MS;
  if (nowMs < limit) return again(builder, call, limit);
  if (call.stoppedAtMs === 0) {
    builder.say({ type: 'tool_cancel', call_id: call.callId, reason: 'timeout' });
    return builder.putCall({ ...call, stoppedAtMs: nowMs, checkAtMs: nowMs + STOP_GRACE_MS });
  }
  if (nowMs < call.stoppedAtMs + STOP_GRACE_MS) return;
  const code = call.idempotency === 'safe' ? 'TIMEOUT' : 'OUTCOME_UNKNOWN';
  giveUpCall(builder, call, code);
};

/** A client without identity says nothing of a call before its result: its time counts from when it was seen to have the call. */
const checkSeed = (builder: StepBuilder, call: ReadyCall): void => {
  const { nowMs } = builder;
  const givenAtMs = call.givenAtMs === 0 ? nowMs : call.givenAtMs;
  if (call.idempotency === 'unsafe' && nowMs >= givenAtMs + call.deadlineMs) {
    builder.say({ type: 'tool_cancel', call_id: call.callId, reason: 'timeout' });
    return giveUpCall(builder, call, 'OUTCOME_UNKNOWN');
  }
  const checkAtMs = call.idempotency === 'unsafe' ? givenAtMs + call.deadlineMs : nowMs + MAX_CHECK_PAUSE_MS;
  if (nowMs >= call.checkAtMs) builder.putCall({ ...call, givenAtMs, checkAtMs });
};

/** Whether the session's grace for an absent client has run out, or when to look again for it. */
const checkGrace = (builder: StepBuilder, call: ReadyCall): boolean => {
  const { clientGraceMs } = builder.context.facts;
  if (clientGraceMs === 0) return false;
  if (builder.nowMs < call.readyAtMs + clientGraceMs) {
    again(builder, call, call.readyAtMs + clientGraceMs);
    return true;
  }
  builder.say({ type: 'tool_cancel', call_id: call.callId, reason: 'timeout' });
  giveUpCall(builder, call, 'CLIENT_DISCONNECTED');
  return true;
};

/**
 * When to look for the first time how far the executor is with a call that became ready at `readyAtMs`. A call can't be over its deadline
 * before; a client without identity acknowledges nothing, so the look at it only finds out since when it has the call.
 */
export function firstCheckAt(
  call: Pick<OpenCall, 'deadlineMs' | 'task' | 'server'>,
  readyAtMs: number,
  facts: Pick<SessionFacts, 'executor' | 'clientGraceMs'>,
): number {
  if (call.task) return readyAtMs + TASK_CHECK_MS;
  const late = readyAtMs + call.deadlineMs + DEADLINE_GRACE_MS;
  if (call.server) return late;
  if (facts.executor === SEED_EXECUTOR) return readyAtMs + DEADLINE_GRACE_MS;
  return facts.clientGraceMs > 0 ? Math.min(late, readyAtMs + facts.clientGraceMs) : late;
}

/** Whether a client without identity was given the call. */
const isGivenToSeed = (record: CallRecord | undefined): boolean => record !== undefined && isSeedName(record.givenTo);

/** Whether the call may have had an effect: it was begun, or given to a client that never says what it begins. */
export const hasBegun = (call: Pick<OpenCall, 'idempotency'>, record: CallRecord | undefined): boolean =>
  record?.progress === 'started' || (call.idempotency === 'unsafe' && isGivenToSeed(record));
