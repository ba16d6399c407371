import type { InboxEntry, StepEffects } from '@codelab/bus';
import { askModel } from '../model/ask-model.js';
import { applyAnswer } from '../inputs/apply-answer.js';
import { applyAbandoned, applyCancel, applyQuota } from '../inputs/apply-cancel.js';
import { applyDecision } from '../inputs/apply-decision.js';
import { applyExecutor, applyJournal } from '../inputs/apply-executor.js';
import { applyFailure, applyLostStep } from '../inputs/apply-failure.js';
import { applyMessage, applyRemoved } from '../inputs/apply-message.js';
import { applyLateResult, applyResult } from '../inputs/apply-result.js';
import { applyTime } from '../inputs/apply-time.js';
import { reviewQuestions } from '../inputs/review-questions.js';
import { decideNextStep } from './decide-next-step.js';
import { StepBuilder, type TurnEvent } from './step-builder.js';
import { endTurn, failTurn } from './end-turn.js';
import type { RuntimeLimits } from './runtime-limits.js';
import type { SessionFacts } from '../session/session-facts.js';
import type { StepContext, StepInputs } from './step-context.js';
import { applyDelta, applyReading, flushText } from '../model/stream-text.js';
import { tellUses } from '../uses/tell-uses.js';
import { workUses } from '../uses/work-uses.js';
import { serialiseState } from './serialise-state.js';
import type { SessionState } from './turn-state.js';

/** What a step comes to. */
export interface Advance {
  /** True once `effects` are committed; at once where there are none. */
  readonly state: SessionState;
  /** What the commit writes; absent where nothing has to be. */
  readonly effects?: StepEffects;
  /** The cancelled turn that the effects know of, or ''. */
  readonly cancelSeen: string;
  readonly events: readonly TurnEvent[];
}

/**
 * Advances a session by one step: `(state, inputs) → (state', effects)`. Pure: no clock, no randomness and no I/O of its own, so a step
 * that was computed and not committed is computed again from the same state, by whoever holds the lease then (R1). Never throws: a turn
 * whose step does is ended as failed (R3).
 */
export function advanceTurn(state: SessionState, inputs: StepInputs, given: StepContext): Advance {
  const context = { ...given, limits: limitsOf(given.facts, given.limits) };
  const builder = new StepBuilder(state, context, inputs.nowMs);
  try {
    applyInputs(builder, inputs);
    takeNextStep(builder);
    flushText(builder);
    return finish(state, builder, inputs);
  } catch (cause) {
    return finish(state, failTurn(state, inputs, context, cause), inputs);
  }
}

/** The limits of a turn: for a program that wants no count there is none, so that only time and its own end stop it; a part of a task has a budget. */
const limitsOf = ({ program, task }: Pick<SessionFacts, 'program' | 'task'>, limits: RuntimeLimits): RuntimeLimits => {
  if (task !== undefined) return { ...limits, budget: task.budget };
  return program?.maxToolRounds === 0 ? { ...limits, maxRounds: Infinity } : limits;
};

const applyInputs = (builder: StepBuilder, inputs: StepInputs): void => {
  if (inputs.orphanTurnId !== undefined) throw new Error(`nothing is known of the turn ${inputs.orphanTurnId} that runs`);
  builder.rules = inputs.rules ?? [];
  if (inputs.reading !== undefined) applyReading(builder, inputs.reading);
  for (const delta of inputs.deltas ?? []) applyDelta(builder, delta);
  builder.cancelling = new Set(inputs.entries.flatMap((entry) => (entry.kind === 'cancel' ? [entry.turnId] : [])));
  for (const entry of inputs.entries) applyEntry(builder, entry, inputs);
  if (inputs.lostStepId !== undefined) applyLostStep(builder, inputs.lostStepId);
  applyTime(builder, inputs.records);
  if (inputs.reviews) reviewQuestions(builder, inputs.records ?? []);
};

const applyEntry = (builder: StepBuilder, entry: InboxEntry, inputs: StepInputs): void => {
  switch (entry.kind) {
    case 'message':
      return applyMessage(builder, entry);
    case 'removed':
      return applyRemoved(builder, entry.messageId);
    case 'answer':
      return applyAnswer(builder, entry);
    case 'failure':
      return applyFailure(builder, entry);
    case 'result':
      return applyResult(builder, entry);
    case 'late_result':
      return applyLateResult(builder, entry);
    case 'abandoned':
      return applyAbandoned(builder, entry.callId);
    case 'decision':
      return applyDecision(builder, entry);
    case 'rules':
      return; // `reviews` is set for it
    case 'quota':
      return applyQuota(builder, entry.turnId, entry.message);
    case 'cancel':
      return applyCancel(builder, entry.turnId);
    case 'executor':
      return applyExecutor(builder, entry.executor, inputs.records ?? []);
    case 'journal':
      return applyJournal(builder, entry.calls);
    case 'agent':
      return builder.turn === undefined ? undefined : builder.change({ agent: entry.agent, handedBy: undefined });
  }
};

const takeNextStep = (builder: StepBuilder): void => {
  if (builder.turn === undefined) return;
  workUses(builder);
  tellUses(builder);
  const next = decideNextStep(builder.turn, builder.context.limits, builder.nowMs);
  if (next.kind === 'ask_model') askModel(builder, next.lastWords);
  else if (next.kind === 'end') endTurn(builder, next);
};

const finish = (before: SessionState, builder: StepBuilder, inputs: StepInputs): Advance => {
  const after = { ...builder.state, historyVersion: builder.historyVersion };
  const { events } = builder;
  const effects = toEffects(before, after, builder, inputs);
  const state = effects === undefined ? after : { ...after, commits: before.commits + 1 };
  return { state, events, cancelSeen: seenCancel(before, inputs), effects };
};

/** What a step writes, or nothing where nothing came in, is said or has changed but what memory alone holds. */
function toEffects(before: SessionState, after: SessionState, builder: StepBuilder, inputs: StepInputs): StepEffects | undefined {
  const { frames, history, userMessages, calls, modelRequest, taken, endTurn, meta, todos, audit, hasChanged } = builder;
  const writes = frames.length + history.length + calls.length > 0 || modelRequest !== undefined || endTurn !== undefined;
  if (!writes && inputs.entries.length === 0 && !hasChanged) return undefined;
  return {
    inboxUpTo: inputs.entries.at(-1)?.id ?? inputs.inboxDone,
    state: serialiseState({ ...after, commits: before.commits + 1 }),
    frames,
    history,
    userMessages,
    calls,
    audit,
    modelRequest,
    taken,
    endTurn,
    meta,
    todos,
  };
}

/** The cancelled turn that a step knows of, or ''. Told from its inputs, because the step may have ended the turn. */
function seenCancel({ turn }: SessionState, { entries, orphanTurnId }: StepInputs): string {
  if (turn?.cancelledAtMs !== undefined) return turn.turnId;
  const turnIds = new Set([turn?.turnId, orphanTurnId]);
  let seen = '';
  for (const entry of entries) {
    if (entry.kind === 'message' && !entry.steered) turnIds.add(entry.turnId);
    if (entry.kind === 'cancel' && turnIds.has(entry.turnId)) seen = entry.turnId;
  }
  return seen;
}
