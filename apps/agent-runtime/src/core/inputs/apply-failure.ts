import type { InboxEntry, StepFailure } from '@codelab/bus';
import type { StepBuilder } from '../turn/step-builder.js';
import { tellNoneBegun } from '../uses/tell-uses.js';
import { MAX_MODEL_RETRIES, MAX_RETRY_AFTER_MS, MAX_SQUEEZES, RETRY_BASE_MS } from '../turn/runtime-limits.js';
import { renameMessage, takeAttempt, writePartialText } from '../model/stream-text.js';
import { type Compacting, type Step, stepOf, toReason } from '../turn/turn-state.js';

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
  const { code, message, retryable, retryAfterMs = 0, waitWording, context } = JSON.parse(entry.failure) as StepFailure;
  builder.events.push({ kind: 'model_failed', stepId: asked.stepId, code });
  const { failures, squeezed = 0 } = builder.runningTurn;
  if (asked.compacting === undefined && TOO_LONG.has(code) && squeezed < MAX_SQUEEZES) {
    builder.learn(context);
    return compactFirst(builder, asked, {});
  }
  if (!retryable || failures >= MAX_MODEL_RETRIES || retryAfterMs > MAX_RETRY_AFTER_MS) {
    if (asked.compacting !== undefined && asked.compacting.mechanical !== true) {
      return compactFirst(builder, asked, { ...asked.compacting, mechanical: true });
    }
    writePartialText(builder, asked);
    return builder.enter({ kind: 'failed', error: { code: 'TURN_FAILED', message } });
  }
  const newMessageId = (): string => builder.context.newId('msg');
  const step = takeAttempt(asked, entry.attempt, newMessageId);
  tellNoneBegun(builder, step);
  const pauseMs = Math.max(RETRY_BASE_MS * 2 ** failures, retryAfterMs);
  const atMs = builder.nowMs + pauseMs + spread(asked.stepId, pauseMs);
  builder.enter({
    ...{ kind: 'retrying', atMs, message: renameMessage(step, newMessageId), compacting: step.compacting },
    retry: {
      ...{ reason: toReason(code), message: waitWording ?? message, atMs },
      ...{ attempt: failures + 2, maxAttempts: MAX_MODEL_RETRIES + 1 },
    },
  });
  builder.change({ failures: failures + 1 });
}

/** Codes of a request that was longer than its model reads. */
const TOO_LONG: ReadonlySet<string> = new Set(['context_length', 'too_large']);

/** Has what is older summed up at once, before the model is asked for the same answer again. */
const compactFirst = (builder: StepBuilder, asked: Step, compacting: Compacting): void => {
  const message = renameMessage(asked, () => builder.context.newId('msg'));
  tellNoneBegun(builder, asked);
  builder.enter({ kind: 'retrying', atMs: builder.nowMs, message, compacting });
  builder.change({ failures: 0 });
};

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
