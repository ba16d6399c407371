import type { StepPrompt, StepRequest } from '@codelab/bus';
import { Conversation, type Growth, type HistoryItem, type Message, type ModelRequest } from '@codelab/llm';
import { codelabVocabulary, isCanonicalTool, rewriteUse } from '@codelab/tools';

/**
 * What every model request of a turn begins with that a program started through llm-proxy: the caller's conversation, system prompt
 * included, and its settings. Stored as JSON in `NewChild.base`. A forced `toolChoice` counts for the first request only: it would never
 * let the turn end.
 */
export type StepBase = Omit<ModelRequest, 'model' | 'tools'>;

/** What a session is asked with, from one step to the next: only what is new in its history is read. */
export interface AskedSession {
  readonly system: string;
  readonly tools: StepPrompt['tools'];
  readonly base: StepBase | undefined;
  readonly conversation: Conversation;
}

/** A history, and what was made of it. */
export interface KnownHistory {
  readonly items: readonly HistoryItem[];
  /** Goes on from step to step with the history. */
  asked?: AskedSession;
}

/** What a step asks with: its record, the session's history, and for a child of a session what its turn begins with. */
export interface StepInput {
  readonly step: StepRequest;
  readonly history: KnownHistory;
  /** Needed only where the history doesn't have it yet. */
  readonly base?: StepBase;
}

/** What a model is asked in a step: system prompt, history and tools, in no vendor's dialect; and what is kept for the next one. */
export function toModelRequest({ step, history, base }: StepInput): { readonly request: ModelRequest; readonly growth: Growth } {
  const known = history.asked;
  const asked = known !== undefined && isSame(known, step) ? known : begin(step, known?.base ?? base);
  history.asked = asked;
  const messages = asked.conversation.say(history.items);
  const { growth } = asked.conversation;
  const request = { model: step.model, messages, tools: step.tools };
  if (asked.base === undefined) return { request, growth };
  const { toolChoice, ...settings } = asked.base;
  const mayForce = toolChoice === 'auto' || toolChoice === 'none' || !history.items.some(({ role }) => role === 'assistant');
  return { request: { ...settings, ...request, ...(toolChoice !== undefined && mayForce && { toolChoice }) }, growth };
}

/** The tools of a prompt that is known come as one object. */
const isSame = (asked: AskedSession, { system, tools }: StepPrompt): boolean => asked.system === system && asked.tools === tools;

function begin({ system, tools, vocabulary }: StepRequest, base: StepBase | undefined): AskedSession {
  const offered = new Set(tools.map(({ name }) => name));
  const toModelName = (tool: string): string => {
    const shown = codelabVocabulary.toModelName(tool);
    return isCanonicalTool(tool) || offered.has(shown) ? shown : tool; // a tool that a model made up keeps the name it gave
  };
  const prompt: readonly Message[] = system === '' ? [] : [{ role: 'system', parts: [{ kind: 'text', text: system }] }];
  return {
    system,
    tools,
    base,
    conversation: new Conversation(base?.messages ?? prompt, toModelName, (call) => rewriteUse(call, vocabulary)),
  };
}
