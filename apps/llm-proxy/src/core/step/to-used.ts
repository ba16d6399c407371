import type { AnswerBuilder, Usage } from '@codelab/llm';
import type { Admission } from '../accounting/accounting.js';
import { withCost } from '../models/cost-of.js';
import type { Target } from '../models/model-catalog.js';

/** Characters of one token, roughly. */
const CHARACTERS_PER_TOKEN = 4;

/** What is paid for: what the provider counted, else an estimate of what was asked and of what came, also of an answer that broke off. */
export function toUsed({ model, entry }: Target, answer: AnswerBuilder, countInput: () => number): Parameters<Admission['settle']>[0] {
  const { usage } = answer;
  if (usage) return { model, usage: withCost(usage, entry.price) };
  const estimate: Usage = { inputTokens: countInput(), outputTokens: Math.ceil(answer.characters / CHARACTERS_PER_TOKEN) };
  return { model, usage: withCost(estimate, entry.price), estimated: true };
}
