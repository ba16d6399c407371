import type { ModelRequest } from '@codelab/llm';
import type { Target } from '../models/model-catalog.js';

/** The request with the thinking that the models file sets for a model of agents. The codecs know where a model must not begin to think. */
export function withThinking(request: ModelRequest, { entry }: Target): ModelRequest {
  const { effort, budget_tokens: budgetTokens } = entry.thinking ?? {};
  if (request.thinking !== undefined || (effort === undefined && budgetTokens === undefined)) return request;
  return { ...request, thinking: { kind: 'on', effort, budgetTokens } };
}
