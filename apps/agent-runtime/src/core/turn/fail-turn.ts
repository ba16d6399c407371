import { callsOf, isOpen, newTurn, type SessionState, type Turn } from './turn-state.js';
import { standardResult } from '../calls/call-result.js';
import { StepBuilder } from './step-builder.js';
import { endTurn } from './end-turn.js';
import { settleCall } from '../calls/settle-call.js';
import type { StepContext, StepInputs } from './step-context.js';

const ERROR = {
  code: 'INTERNAL',
  message: 'A fault of the service ended this turn. It is logged there; nothing of the conversation is lost.',
} as const;

/** The turn to end: the one that runs, or one of which only the name is known. */
const turnOf = (state: SessionState, { entries, orphanTurnId, nowMs }: StepInputs, { facts, limits }: StepContext): Turn | undefined => {
  if (orphanTurnId === undefined && state.turn !== undefined) return state.turn;
  const model = facts.model || limits.defaultModel;
  if (orphanTurnId !== undefined) return newTurn({ turnId: orphanTurnId, messageIds: [], model, agent: '' }, nowMs);
  const message = entries.find((entry) => entry.kind === 'message' && !entry.steered);
  if (message?.kind !== 'message') return undefined;
  return newTurn({ turnId: message.turnId, messageIds: [message.messageId], model, agent: '' }, nowMs);
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
  endTurn(builder, { kind: 'end', status: 'failed', error: ERROR });
  return builder;
}

/** Calls that have a record and that the state knows nothing of. */
const closeOrphans = (builder: StepBuilder, { orphanTurnId, records }: StepInputs): void => {
  if (orphanTurnId === undefined) return;
  for (const { callId } of records ?? []) builder.calls.push({ kind: 'close', callId, synthetic: true });
};
