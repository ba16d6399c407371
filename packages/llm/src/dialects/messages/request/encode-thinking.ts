import type { ModelRequest, Thinking } from '../../../canonical/message.js';
import type { WireMessage, WireThinking } from '../wire.js';

/** Tokens of an answer where the request doesn't say. */
const DEFAULT_MAX_TOKENS = 8_192;

/** Anthropic's least budget. */
const MIN_BUDGET = 1_024;

/** What an effort is worth in tokens, for models that take a budget. */
const BUDGETS: Readonly<Record<string, number>> = {
  minimal: MIN_BUDGET,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
};

/** Models that decide themselves how much they think, and take an effort; from 4.7 on they refuse a budget. All others want one. */
const DECIDES_ITSELF = /(?:opus|sonnet|haiku)-(?:4-[6-9]|[5-9])(?!\d)|fable|mythos/;

export interface EncodedThinking {
  readonly max_tokens: number;
  readonly thinking?: WireThinking;
  readonly effort?: string;
}

/**
 * Writes how much the model thinks, and how long the answer may be: thoughts count for it.
 *
 * @param messages as they are sent: a model with a budget must find its own thought at the beginning of an answer that it goes on with
 * @param maxOutputTokens the largest answer of the model, where it is known
 * @param note is told what could not be said
 */
export function encodeThinking(
  { model, thinking, maxTokens }: ModelRequest,
  {
    messages,
    maxOutputTokens,
    note,
  }: { readonly messages: readonly WireMessage[]; readonly maxOutputTokens?: number; readonly note: (text: string) => void },
): EncodedThinking {
  const max_tokens = maxTokens ?? maxOutputTokens ?? DEFAULT_MAX_TOKENS;
  if (thinking === undefined) return { max_tokens };
  if (thinking.kind === 'off') return { max_tokens, thinking: { type: 'disabled' } };
  const wanted = toBudget(thinking);
  const room = maxTokens ?? maxOutputTokens ?? wanted + DEFAULT_MAX_TOKENS;
  if (DECIDES_ITSELF.test(model)) {
    const effort = toEffort(thinking);
    return { max_tokens: room, thinking: { type: 'adaptive', display: 'summarized' }, effort };
  }
  const budget = wanted < room ? wanted : Math.max(MIN_BUDGET, room >> 1);
  if (budget >= room) note(`thinking: ${room} tokens leave no room for the least budget of ${MIN_BUDGET}; left out`);
  else if (!goesOnFromThought(messages)) note('thinking: the answer that goes on has no thought that the model knows; left out');
  else return { max_tokens: room, thinking: { type: 'enabled', budget_tokens: budget } };
  return { max_tokens };
}

function toBudget(thinking: Exclude<Thinking, { kind: 'off' }>): number {
  if (thinking.kind === 'on' && thinking.budgetTokens !== undefined) return Math.max(MIN_BUDGET, thinking.budgetTokens);
  return BUDGETS[thinking.effort ?? 'medium'] ?? BUDGETS.medium!;
}

/** The effort in Anthropic's words; of a budget the one that it is worth. */
function toEffort(thinking: Exclude<Thinking, { kind: 'off' }>): string | undefined {
  if (thinking.effort === 'minimal') return 'low';
  if (thinking.effort !== undefined) return Object.hasOwn(BUDGETS, thinking.effort) ? thinking.effort : undefined;
  if (thinking.kind !== 'on' || thinking.budgetTokens === undefined) return undefined;
  const { budgetTokens } = thinking;
  return Object.keys(BUDGETS).find((effort) => effort !== 'minimal' && budgetTokens <= BUDGETS[effort]!) ?? 'max';
}

/** Whether the calls that have just been answered, if any, belong to an answer that began with a thought. */
function goesOnFromThought(messages: readonly WireMessage[]): boolean {
  let first: WireMessage | undefined;
  for (const message of messages.toReversed()) {
    if (message.role === 'assistant') first = message;
    else if (!message.content.every(({ type }) => type === 'tool_result')) break;
  }
  const begin = first?.content[0]?.type;
  return messages.at(-1)?.role === 'assistant' || begin === undefined || begin === 'thinking' || begin === 'redacted_thinking';
}

/** Models after Opus 4.6 refuse to have their sampling set. */
export const REFUSES_SAMPLING = /(?:opus|sonnet|haiku)-(?:4-[7-9]|[5-9])(?!\d)|fable|mythos/;
