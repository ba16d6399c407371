import type { ClaimedStep } from '@codelab/bus';
import { ApiError, estimateTokens, type Growth, LlmError, type ModelRequest } from '@codelab/llm';
import type { Accounting, Admission, Asked } from '../accounting/accounting.js';
import type { ChainPorts } from '../chain/ask-chain.js';
import { costOf } from '../models/cost-of.js';
import type { Target } from '../models/model-catalog.js';

/** What limits are asked of, and waited with. */
export interface AdmitPorts {
  readonly accounting: Pick<Accounting, 'admit'>;
  readonly chain: Pick<ChainPorts, 'now' | 'wait'>;
}

/** An agent's request that is over a limit waits here for so long, because nobody notices; longer waits go back to the runtime. */
export const MAX_LIMIT_WAIT_MS = 10_000;

/** What an agent's answer is counted with before it is there, where the models file doesn't say what the model gives at most. */
const USUAL_ANSWER_TOKENS = 4_096;

/**
 * Lets the request of an agent in, by the limits of the session's owner. Over a rate limit it waits, a short while here. Throws `ApiError`,
 * or `LlmError` `cancelled` when the step's signal fires.
 */
export async function admitStep(
  step: ClaimedStep,
  { request, growth, target }: { readonly request: ModelRequest; readonly growth: Growth; readonly target: Target },
  { accounting, chain }: AdmitPorts,
): Promise<Admission> {
  const { owner, sessionId } = step.ref;
  const payer = { owner, sessionId: step.request.parent ?? sessionId, requestId: step.stepId };
  const asked: Asked = {
    model: request.model,
    leadsTo: target.model,
    estimate: () => estimate(request, estimateTokens(request, growth), target),
  };
  const startedMs = chain.now();
  for (let attempt = 2; ; attempt++) {
    try {
      return await accounting.admit(payer, asked);
    } catch (error) {
      const waitMs = error instanceof ApiError && error.kind === 'rate_limited' ? error.retryAfterMs : undefined;
      if (waitMs === undefined || chain.now() - startedMs + waitMs > MAX_LIMIT_WAIT_MS) throw error;
      step.tellWait({ code: 'rate_limited', message: (error as ApiError).message, attempt, delayMs: waitMs });
      await chain.wait(waitMs, step.signal).catch(() => undefined);
      if (step.signal.aborted) throw new LlmError('cancelled', 'The request was cancelled while it waited for a limit.');
    }
  }
}

function estimate(request: ModelRequest, inputTokens: number, { entry }: Target): ReturnType<Asked['estimate']> {
  const outputTokens = request.maxTokens ?? Math.min(entry.max_output_tokens ?? USUAL_ANSWER_TOKENS, USUAL_ANSWER_TOKENS);
  const costUsd = costOf({ inputTokens, outputTokens }, entry.price);
  return { inputTokens, outputTokens, costUsd };
}
