import type { TurnUsage as WireUsage } from '@codelab/protocol';
import type { NextStep } from './decide-next-step.js';
import type { StepBuilder } from './step-builder.js';
import { toQueued } from '../inputs/apply-message.js';
import { writePartialText } from '../model/stream-text.js';
import { writeResults } from '../calls/settle-call.js';
import { shownModel, type TurnUsage } from './turn-state.js';

const toWire = ({ inputTokens, outputTokens, costUsd }: TurnUsage): WireUsage => ({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  cost_usd: costUsd,
});

/**
 * Ends the turn, once and for all (R3): what there is of text and results goes into the history, steered messages that no request took in
 * go to the head of the queue, and the next message starts in the same commit.
 */
export function endTurn(builder: StepBuilder, end: Extract<NextStep, { kind: 'end' }>): void {
  const { phase } = builder.runningTurn;
  if (phase.kind === 'calling') writeResults(builder);
  if (phase.kind === 'asking') writePartialText(builder, phase.step);
  const turn = builder.runningTurn;
  builder.say({
    type: 'turn_ended',
    turn_id: turn.turnId,
    message_ids: [...turn.messageIds],
    model: shownModel(turn),
    status: end.status,
    usage: toWire(turn.usage),
    error: end.status === 'failed' ? end.error : undefined,
    stop: end.status === 'failed' ? undefined : end.stop,
  });
  builder.endTurn = { turnId: turn.turnId, requeue: turn.steered.map((message) => toQueued(builder, message)) };
  builder.events.push({
    kind: 'turn_ended',
    turnId: turn.turnId,
    status: end.status,
    code: end.status === 'failed' ? end.error.code : undefined,
  });
  builder.state = { ...builder.state, turn: undefined };
}
