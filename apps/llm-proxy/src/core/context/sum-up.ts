import { type CompactionPlan, headAndTail, LlmError, mechanicalSummary, type ModelRequest, tellItems, userWords } from '@codelab/llm';
import { summaryRequest } from './summary-prompt.js';

/** What a summary is made with. */
export interface SumUpParts {
  readonly plan: CompactionPlan;
  readonly model: string;
  /** Of the model, in tokens. */
  readonly window: number;
  /** Tokens of the provider to one of ours. */
  readonly scale: number;
  readonly focus?: string;
  /** Asks the model; the text of its answer. Throws `LlmError`. */
  readonly ask: (request: ModelRequest) => Promise<string>;
}

/** A summary; `mechanical`: no model wrote it. */
export interface Summary {
  readonly content: string;
  readonly mechanical?: true;
}

const CHARACTERS_PER_TOKEN = 3;
/** Of a window: what the model reads at once, what it may write, what the summary may take, and the user's words in it. */
const SHARES = { part: 0.5, answer: 0.15, summary: 0.12, words: 0.06 } as const;
const MAX_ANSWER_TOKENS = 12_000;
/** A conversation that takes more parts is told in fewer words. */
const MAX_PARTS = 6;
/** How often a part is tried with half of its length. */
const MAX_HALVES = 3;

/** How much is told of each item: as much as there is room for. */
const LENGTHS = [
  { said: 6_000, arguments: 1_500, result: 2_000 },
  { said: 2_000, arguments: 400, result: 500 },
  { said: 600, arguments: 120, result: 150 },
] as const;

const toCharacters = ({ window, scale }: SumUpParts, share: number): number =>
  Math.floor(((window * share) / scale) * CHARACTERS_PER_TOKEN);

/** The summary that no model is asked for. */
export const sumUpMechanically = (parts: SumUpParts): Summary => ({
  content: mechanicalSummary(parts.plan, toCharacters(parts, SHARES.summary)),
  mechanical: true,
});

/**
 * Sums up the older part of a conversation, by the model; one that is longer than the model reads in parts, each with the summary of those before.
 * The user's words stand in it literally, whatever the model makes of them. Where the model can't, it is put together without one. Throws
 * failures that pass, and `cancelled`.
 */
export async function sumUp(parts: SumUpParts): Promise<Summary> {
  try {
    const said = await askInParts(parts);
    if (said.trim() === '') return sumUpMechanically(parts);
    const words = userWords(parts.plan, toCharacters(parts, SHARES.words));
    const shown = headAndTail(said.trim(), toCharacters(parts, SHARES.summary));
    return { content: words === '' ? shown : `${shown}\n\n${words}` };
  } catch (error) {
    if (!(error instanceof LlmError) || error.retryable || error.code === 'cancelled') throw error;
    return sumUpMechanically(parts);
  }
}

async function askInParts(parts: SumUpParts): Promise<string> {
  const { plan, model, focus, window } = parts;
  let length = toCharacters(parts, SHARES.part);
  const maxTokens = Math.max(256, Math.min(MAX_ANSWER_TOKENS, Math.floor(window * SHARES.answer)));
  const texts = tell(plan, length);
  let before = plan.before === undefined ? undefined : headAndTail(plan.before, Math.floor(length / 3));
  for (let [place, halves] = [0, 0]; place < texts.length;) {
    const { transcript, next } = takePart(texts, place, length - (before?.length ?? 0));
    try {
      const said = await parts.ask(summaryRequest({ model, before, transcript, focus, maxTokens }));
      if (said.trim() !== '') before = headAndTail(said, Math.floor(length / 3));
      place = next;
    } catch (error) {
      const isTooLong = error instanceof LlmError && (error.code === 'context_length' || error.code === 'too_large');
      if (!isTooLong || (halves += 1) > MAX_HALVES) throw error;
      length = Math.floor(length / 2);
    }
  }
  return before ?? '';
}

/** Each item in as many words as a few parts have room for. */
function tell({ items }: CompactionPlan, length: number): readonly string[] {
  const all = LENGTHS.map((lengths) => tellItems(items, lengths));
  const fitting = all.find((texts) => sizeOf(texts) <= length * MAX_PARTS);
  if (fitting !== undefined) return fitting;
  const [last = []] = all.slice(-1);
  const room = Math.floor((length * MAX_PARTS) / 2); // of thousands of items the first and the last
  const [head, tail] = [countFitting(last, room), countFitting(last.toReversed(), room)];
  return [...last.slice(0, head), '… (much is left out here) …', ...last.slice(Math.max(head, last.length - tail))];
}

function countFitting(texts: readonly string[], room: number): number {
  let size = 0;
  const end = texts.findIndex(({ length }) => (size += length + 1) > room);
  return end === -1 ? texts.length : end;
}

const sizeOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length + 1, 0);

function takePart(texts: readonly string[], place: number, length: number): { readonly transcript: string; readonly next: number } {
  const part: string[] = [];
  let [next, left] = [place, length];
  while (next < texts.length && (part.length === 0 || texts[next]!.length <= left)) {
    const text = headAndTail(texts[next]!, Math.max(500, length));
    part.push(text);
    left -= text.length + 1;
    next += 1;
  }
  return { transcript: part.join('\n'), next };
}
