import type { StepBuilder } from '../turn/step-builder.js';
import { sayTokens } from '../model/stream-text.js';
import type { Step } from '../turn/turn-state.js';

/** Keeps the text of an answer that will not be finished: shows what nobody has seen of it, and puts it into the history. */
export function writePartialText(builder: StepBuilder, step: Step): void {
  sayTokens(builder, step, step.text);
  for (const callId of Object.values(step.begun)) builder.sayStatus(callId, undefined, 'canceled');
  if (step.text === '') return;
  const { turnId } = builder.runningTurn;
  builder.remember({
    role: 'assistant',
    turn_id: turnId,
    message_id: step.messageId,
    content: step.text,
    tool_calls: [],
    at_ms: builder.nowMs,
  });
}
