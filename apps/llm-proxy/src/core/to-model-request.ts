import type { StepRequest } from '@codelab/bus';
import { historyToMessages, type HistoryItem, type Message, type ModelRequest } from '@codelab/llm';
import { codelabVocabulary, isCanonicalTool } from '@codelab/tools';

/** What a model is asked in a step: system prompt, history and tools, in no vendor's dialect. */
export function toModelRequest(step: StepRequest, history: readonly HistoryItem[], model: string): ModelRequest {
  const offered = new Set(step.tools.map(({ name }) => name));
  const toModelName = (tool: string): string => {
    const name = codelabVocabulary.toModelName(tool);
    return isCanonicalTool(tool) || offered.has(name) ? name : tool; // a tool that a model made up keeps the name it gave
  };
  const system: Message[] = step.system === '' ? [] : [{ role: 'system', parts: [{ kind: 'text', text: step.system }] }];
  return { model, messages: [...system, ...historyToMessages(history, toModelName)], tools: step.tools };
}
