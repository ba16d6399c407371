import type { StepRequest } from '@codelab/bus';
import { historyToMessages, Memo, type HistoryItem, type Message, type ModelRequest } from '@codelab/llm';
import { codelabVocabulary, isCanonicalTool } from '@codelab/tools';
import type { StepBase } from './step-base.js';

/** What a step asks with: its record, the session's history, and for a child of a session what its turn begins with. */
export interface StepInput {
  readonly step: StepRequest;
  readonly history: readonly HistoryItem[];
  readonly base?: StepBase;
}

/** What a model is asked in a step: system prompt, history and tools, in no vendor's dialect and for no model yet. */
export function toModelRequest({ step, history, base }: StepInput): Omit<ModelRequest, 'model'> {
  const offered = new Set(step.tools.map(({ name }) => name));
  const names = new Map<string, string>();
  const toModelName = (tool: string): string => {
    const known = names.get(tool);
    if (known !== undefined) return known;
    const shown = codelabVocabulary.toModelName(tool);
    const name = isCanonicalTool(tool) || offered.has(shown) ? shown : tool; // a tool that a model made up keeps the name it gave
    names.set(tool, name);
    return name;
  };
  const said = historyToMessages(history, toModelName);
  if (!base) return { messages: [...systemOf(step), ...said], tools: step.tools };
  const { toolChoice, ...settings } = base;
  const isFirst = !history.some(({ role }) => role === 'assistant');
  const mayForce = isFirst || toolChoice === 'auto' || toolChoice === 'none';
  return {
    ...settings,
    messages: [...base.messages, ...said],
    tools: step.tools,
    ...(toolChoice !== undefined && mayForce && { toolChoice }),
  };
}

/** Prompts by their tools: those of a prompt that is known come as one object. */
const PROMPTS = new Memo<StepRequest['tools'], readonly Message[]>();

const systemOf = ({ system, tools }: StepRequest): readonly Message[] =>
  PROMPTS.get(tools, [system], () => (system === '' ? [] : [{ role: 'system', parts: [{ kind: 'text', text: system }] }]));
