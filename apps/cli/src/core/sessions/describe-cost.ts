import { type SessionView, formatCost, formatCount, formatDuration, formatPlural } from '@codelab/client/view';

/** What llm-proxy has counted of a session: all of its requests, those of other windows and of parts of its tasks too. */
export interface CountedUse {
  readonly requests: number;
  readonly inputTokens: number;
  /** Of the input. */
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** US dollars; models without a price count nothing. */
  readonly costUsd: number;
}

interface Tokens {
  readonly inputTokens: number;
  readonly cachedInputTokens?: number;
  readonly outputTokens: number;
  readonly costUsd?: number | undefined;
}

/**
 * What a conversation used, as text. `counted`: since it began, where llm-proxy tells; else it is what this window saw. The input of a turn
 * is that of all of its requests, and each of them carries the conversation so far.
 */
export function describeCost({ usage, items }: SessionView, counted: CountedUse | undefined): string {
  const ends = items.filter((item) => item.kind === 'turn_end');
  const last = ends.at(-1);
  if (last === undefined && counted === undefined) return 'Nothing has been used here yet.';
  const seen = { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens, costUsd: usage.cost_usd };
  const all = counted
    ? `This conversation: ${formatPlural(counted.requests, 'request')}, ${describe(counted)}`
    : `This conversation, since it was opened here: ${formatPlural(ends.length, 'turn')}, ${describe(seen)}`;
  const turn = last && { inputTokens: last.usage.input_tokens, outputTokens: last.usage.output_tokens, costUsd: last.usage.cost_usd };
  const elapsed = last?.elapsedMs === undefined ? '' : `, ${formatDuration(last.elapsedMs)}`;
  return [all, ...(turn ? [`The last turn: ${describe(turn)}${elapsed}`] : []), ...windowOf(usage), ...priceOf(counted ?? seen)].join('\n');
}

function describe({ inputTokens, cachedInputTokens = 0, outputTokens, costUsd = 0 }: Tokens): string {
  const cached = cachedInputTokens === 0 ? '' : ` (${formatCount(cachedInputTokens)} of it cached)`;
  return `${formatCount(inputTokens)} in${cached}, ${formatCount(outputTokens)} out${costUsd === 0 ? '' : `, ${formatCost(costUsd)}`}`;
}

const windowOf = ({ context_tokens: used, context_window: window }: SessionView['usage']): readonly string[] =>
  used === undefined
    ? []
    : [`Its last request: ${formatCount(used)} tokens${window === undefined ? '' : ` of a window of ${formatCount(window)}`}`];

const priceOf = ({ costUsd = 0, inputTokens }: Tokens): readonly string[] =>
  costUsd === 0 && inputTokens > 0 ? ['No price is known for the models that answered: the models file names prices.'] : [];
