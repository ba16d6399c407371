import type { StepAnswer } from '@codelab/bus';
import type { Answer, Thought, Usage } from '@codelab/llm';
import type { Target } from '../models/model-catalog.js';

/** An answer as the runtime gets it, with the thoughts that go back to the provider. */
export function toStepAnswer(target: Target, { thinking, ...said }: Omit<Answer, 'usage'>, usage: Usage | undefined): StepAnswer {
  const { inputTokens = 0, outputTokens = 0, costUsd } = usage ?? {};
  const kept = thinking?.filter((thought) => isWantedBack(thought, target)) ?? [];
  return {
    model: target.model,
    ...said,
    ...(kept.length > 0 && { thinking: kept }),
    usage: { inputTokens, outputTokens, costUsd },
  };
}

/** A thought without a signature is of use only to a server that wants it back as text. */
const isWantedBack = (thought: Thought, { upstream, entry }: Target): boolean =>
  thought.kind === 'redacted_thinking' ||
  thought.signature !== undefined ||
  (entry.quirks?.reasoning_content ?? upstream.quirks.reasoning_content ?? false);
