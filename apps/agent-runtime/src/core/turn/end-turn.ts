import type { TurnUsage as WireUsage } from '@codelab/protocol';
import type { NextStep } from './decide-next-step.js';
import { standardResult } from '../calls/call-result.js';
import { StepBuilder } from './step-builder.js';
import type { StepContext, StepInputs } from './step-context.js';
import { writePartialText } from '../model/stream-text.js';
import { applyMessage } from '../inputs/apply-message.js';
import { tellHandedBack } from './hand-over.js';
import { settleCall, writeResults } from '../calls/settle-call.js';
import { activeTimeOf } from './turn-times.js';
import { tellUses } from '../uses/tell-uses.js';
import { callsOf, type Ended, isOpen, newTurn, type SessionState, shownModel, type Turn, type TurnUsage } from './turn-state.js';

const toWire = ({ inputTokens, outputTokens, costUsd }: TurnUsage): WireUsage => ({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  cost_usd: costUsd,
});

/**
 * Ends the turn, once and for all (R3): what there is of text and results goes into the history, and the next message starts in the same
 * commit, first of all one that was steered into this turn and that no request took in.
 */
export function endTurn(builder: StepBuilder, end: Extract<NextStep, { kind: 'end' }>): void {
  const { phase } = builder.runningTurn;
  if (phase.kind === 'calling') tellUses(builder, true);
  if (phase.kind === 'calling') writeResults(builder);
  if (phase.kind === 'asking') writePartialText(builder, phase.step);
  const turn = builder.runningTurn;
  const { context } = builder.state;
  tellHandedBack(builder);
  builder.say({
    type: 'turn_ended',
    turn_id: turn.turnId,
    message_ids: [...turn.messageIds],
    model: shownModel(turn),
    status: end.status,
    usage: { ...toWire(turn.usage), context_tokens: context?.tokens, context_window: context?.limit },
    error: end.status === 'failed' ? end.error : undefined,
    stop: end.status === 'failed' ? undefined : end.stop,
  });
  const leftOver = turn.steered.map(({ messageId, frame }) => ({ messageId, frame, turnId: builder.context.newId('turn') }));
  builder.endTurn = { turnId: turn.turnId, ...(leftOver.length > 0 && { leftOver }) };
  builder.events.push({
    kind: 'turn_ended',
    turnId: turn.turnId,
    status: end.status,
    code: end.status === 'failed' ? end.error.code : undefined,
    turn: { ...turn, activeMs: turn.activeMs + activeTimeOf(turn, builder.nowMs) },
  });
  const ended = builder.context.facts.task && toEnded(turn, end);
  builder.state = { ...builder.state, turn: undefined, ended };
}

const toEnded = ({ usage, lastWords }: Turn, end: Extract<NextStep, { kind: 'end' }>): Ended => ({
  status: end.status,
  reason: end.status === 'failed' ? end.error.message : end.status === 'cancelled' ? 'it was stopped' : lastWords,
  usage,
});

const FAULT = {
  code: 'INTERNAL',
  message: 'A fault of the service ended this turn. It is logged there; nothing of the conversation is lost.',
} as const;

/** The turn to end: the one that runs, or one of which only the name is known. */
const turnOf = (state: SessionState, { entries, orphanTurnId, nowMs }: StepInputs, { facts, limits }: StepContext): Turn | undefined => {
  if (orphanTurnId === undefined && state.turn !== undefined) return state.turn;
  const model = facts.model || limits.defaultModel;
  if (orphanTurnId !== undefined) return newTurn({ turnId: orphanTurnId, messageIds: [], model, agent: '', vocabulary: 'codelab' }, nowMs);
  const message = entries.find((entry) => entry.kind === 'message' && !entry.steered);
  if (message?.kind !== 'message') return undefined;
  return newTurn({ turnId: message.turnId, messageIds: [message.messageId], model, agent: '', vocabulary: 'codelab' }, nowMs);
};

/**
 * The step that is taken where the right one can't be computed: the turn ends as failed, each of its calls with a result, and everything
 * that had come in is consumed, so that it can't do the same again (R3, R5).
 */
export function failTurn(state: SessionState, inputs: StepInputs, context: StepContext, cause: unknown): StepBuilder {
  const turn = turnOf(state, inputs, context);
  const builder = new StepBuilder({ ...state, turn }, context, inputs.nowMs);
  builder.events.push({ kind: 'fault', cause });
  if (turn === undefined) return builder;
  for (const call of callsOf(turn).filter(isOpen)) settleCall(builder, call, standardResult('OUTCOME_UNKNOWN'));
  closeOrphans(builder, inputs);
  for (const entry of inputs.entries) if (entry.kind === 'message' && entry.steered) applyMessage(builder, entry);
  endTurn(builder, { kind: 'end', status: 'failed', error: FAULT });
  return builder;
}

/** Calls that have a record and that the state knows nothing of. */
const closeOrphans = (builder: StepBuilder, { orphanTurnId, records }: StepInputs): void => {
  if (orphanTurnId === undefined) return;
  for (const { callId } of records ?? []) builder.calls.push({ kind: 'close', callId, synthetic: true });
};
