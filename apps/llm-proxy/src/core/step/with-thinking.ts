import type { Message, ModelRequest } from '@codelab/llm';
import type { Target } from '../models/model-catalog.js';

/**
 * The request with the thinking that the models file sets for a model of agents. In the middle of a tool loop it stays off where the loop
 * began without: providers refuse a loop whose answers lack the thoughts before their calls.
 */
export function withThinking(request: ModelRequest, { entry }: Target): ModelRequest {
  const { effort, budget_tokens: budgetTokens } = entry.thinking ?? {};
  if (request.thinking !== undefined || (effort === undefined && budgetTokens === undefined) || !mayThink(request.messages)) return request;
  const thinking = { kind: 'on' as const, ...(effort !== undefined && { effort }), ...(budgetTokens !== undefined && { budgetTokens }) };
  return { ...request, thinking };
}

/** Whether every answer with calls since the last words of a user begins with a thought. */
function mayThink(messages: readonly Message[]): boolean {
  const begin = messages.findLastIndex(({ role }) => role === 'user');
  return messages
    .slice(begin + 1)
    .filter(({ role, parts }) => role === 'assistant' && parts.some(({ kind }) => kind === 'tool_call'))
    .every(({ parts }) => parts[0]?.kind === 'thinking' || parts[0]?.kind === 'redacted_thinking');
}
