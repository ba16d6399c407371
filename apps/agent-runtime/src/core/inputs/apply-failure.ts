import type { InboxEntry, StepFailure } from '@codelab/bus';
import type { StepBuilder } from '../turn/step-builder.js';
import { MAX_MODEL_RETRIES, MAX_RETRY_AFTER_MS, RETRY_BASE_MS } from '../turn/runtime-limits.js';
import { renameMessage, takeAttempt, writePartialText } from '../model/stream-text.js';
import { stepOf } from '../turn/turn-state.js';

/**
 * Takes the news that a model request failed: it is repeated a few times, each after a longer pause or after the one that the failure asks
 * for, as a new message that replaces what the user sees; or the turn fails with what the proxy says of it, which is fit for users (L1).
 */
export function applyFailure(
  builder: StepBuilder,
  entry: Pick<Extract<InboxEntry, { kind: 'failure' }>, 'stepId' | 'attempt' | 'failure'>,
): void {
  const asked = stepOf(builder.turn);
  if (asked?.stepId !== entry.stepId || builder.isCancelled) return;
  const { code, message, retryable, retryAfterMs = 0 } = JSON.parse(entry.failure) as StepFailure;
  builder.events.push({ kind: 'model_failed', stepId: asked.stepId, code });
  const { failures } = builder.runningTurn;
  if (!retryable || failures >= MAX_MODEL_RETRIES || retryAfterMs > MAX_RETRY_AFTER_MS) {
    writePartialText(builder, asked);
    return builder.enter({ kind: 'failed', error: { code: 'TURN_FAILED', message } });
  }
  const newMessageId = (): string => builder.context.newId('msg');
  const step = takeAttempt(asked, entry.attempt, newMessageId);
  for (const callId of Object.values(step.begun)) builder.sayStatus(callId, undefined, 'canceled');
  const pauseMs = Math.max(RETRY_BASE_MS * 2 ** failures, retryAfterMs);
  builder.enter({
    kind: 'retrying',
    atMs: builder.nowMs + pauseMs + spread(asked.stepId, pauseMs),
    message: renameMessage(step, newMessageId),
  });
  builder.change({ failures: failures + 1 });
}

/** Takes the news that the record of a model request is gone: it is asked again. */
export function applyLostStep(builder: StepBuilder, stepId: string): void {
  const failure: StepFailure = { code: 'unavailable', message: 'The request to the model was lost.', retryable: true };
  applyFailure(builder, { stepId, attempt: 0, failure: JSON.stringify(failure) });
}

/** Up to a quarter of a pause, by the step's name: sessions that failed together don't come back together. */
const spread = (stepId: string, pauseMs: number): number => {
  const sum = [...stepId].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) % 1_000, 0);
  return Math.floor((pauseMs / 4) * (sum / 1_000));
};
