import type { InboxEntry, StepEffects } from '@codelab/bus';
import { askModel } from '../model/ask-model.js';
import { applyAbandoned } from '../inputs/apply-abandoned.js';
import { applyAnswer } from '../inputs/apply-answer.js';
import { applyCancel } from '../inputs/apply-cancel.js';
import { applyDecision } from '../inputs/apply-decision.js';
import { applyExecutor } from '../inputs/apply-executor.js';
import { applyFailure, applyLostStep } from '../inputs/apply-failure.js';
import { applyJournal } from '../inputs/apply-journal.js';
import { applyMessage, placeStrays } from '../inputs/apply-message.js';
import { applyQuota } from '../inputs/apply-quota.js';
import { applyResult } from '../inputs/apply-result.js';
import { applyTime } from '../inputs/apply-time.js';
import { decideNextStep } from './decide-next-step.js';
import { Draft } from './draft.js';
import { endTurn } from './end-turn.js';
import { failTurn } from './fail-turn.js';
import { limitsOf } from './runtime-limits.js';
import { nextWakeAt } from './next-wake-at.js';
import type { StepContext, StepInputs } from './step-context.js';
import { applyDelta, applyReading, flushText } from '../model/stream-text.js';
import { seenCancel, toEffects } from './to-effects.js';
import type { TurnEvent } from './turn-event.js';
import type { SessionState } from './turn-state.js';
import { writeLateResult } from '../history/write-late-result.js';

/** What a step comes to. */
export interface Advance {
  /** True once `effects` are committed; at once where there are none. */
  readonly state: SessionState;
  /** What the commit writes; absent where nothing has to be. */
  readonly effects?: StepEffects;
  /** The cancelled turn that the effects know of, or ''. */
  readonly cancelSeen: string;
  /** When time alone will have a consequence. */
  readonly wakeAtMs?: number;
  readonly events: readonly TurnEvent[];
}

/**
 * Advances a session by one step: `(state, inputs) → (state', effects)`. Pure: no clock, no randomness and no I/O of its own, so a step
 * that was computed and not committed is computed again from the same state, by whoever holds the lease then (R1). Never throws: a turn
 * whose step does is ended as failed (R3).
 */
export function advanceTurn(state: SessionState, inputs: StepInputs, given: StepContext): Advance {
  const context = { ...given, limits: limitsOf(given.facts, given.limits) };
  const draft = new Draft(state, context, inputs.nowMs);
  try {
    applyInputs(draft, inputs);
    takeNextStep(draft);
    flushText(draft);
    return finish(state, draft, inputs);
  } catch (cause) {
    return finish(state, failTurn(state, inputs, context, cause), inputs);
  }
}

const applyInputs = (draft: Draft, inputs: StepInputs): void => {
  if (inputs.orphanTurnId !== undefined) throw new Error(`nothing is known of the turn ${inputs.orphanTurnId} that runs`);
  draft.rules = inputs.rules ?? [];
  if (inputs.reading !== undefined) applyReading(draft, inputs.reading);
  for (const delta of inputs.deltas ?? []) applyDelta(draft, delta);
  draft.cancelling = new Set(inputs.entries.flatMap((entry) => (entry.kind === 'cancel' ? [entry.turnId] : [])));
  for (const entry of inputs.entries) applyEntry(draft, entry, inputs);
  if (inputs.lostStepId !== undefined) applyLostStep(draft, inputs.lostStepId);
  placeStrays(draft);
  applyTime(draft, inputs.records);
};

const applyEntry = (draft: Draft, entry: InboxEntry, inputs: StepInputs): void => {
  switch (entry.kind) {
    case 'message':
      return applyMessage(draft, entry);
    case 'answer':
      return applyAnswer(draft, entry);
    case 'failure':
      return applyFailure(draft, entry);
    case 'result':
      return applyResult(draft, entry);
    case 'late_result':
      return writeLateResult(draft, entry);
    case 'abandoned':
      return applyAbandoned(draft, entry.callId);
    case 'decision':
      return applyDecision(draft, entry);
    case 'quota':
      return applyQuota(draft, entry.turnId, entry.message);
    case 'cancel':
      return applyCancel(draft, entry.turnId);
    case 'executor':
      return applyExecutor(draft, entry.executor, inputs.records ?? []);
    case 'journal':
      return applyJournal(draft, entry.calls);
    case 'agent':
      return draft.turn === undefined ? undefined : draft.change({ agent: entry.agent });
  }
};

const takeNextStep = (draft: Draft): void => {
  if (draft.turn === undefined) return;
  const next = decideNextStep(draft.turn, draft.context.limits, draft.nowMs);
  if (next.kind === 'ask_model') askModel(draft);
  else if (next.kind === 'end') endTurn(draft, next);
};

const finish = (before: SessionState, draft: Draft, inputs: StepInputs): Advance => {
  const after = { ...draft.state, historyVersion: draft.historyVersion };
  const { events } = draft;
  const effects = toEffects(before, after, draft, inputs);
  const state = effects === undefined ? after : { ...after, commits: before.commits + 1 };
  const wakeAtMs = nextWakeAt(state, draft.context.limits);
  const cancelSeen = seenCancel(before, inputs);
  return { state, events, cancelSeen, effects, wakeAtMs };
};
