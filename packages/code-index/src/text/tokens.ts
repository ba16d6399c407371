import { stem } from './stem.js';

const WORD = /[A-Za-z_$\u00aa-\uffff][\w$\u00aa-\uffff]*|\d{2,6}/g;
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[\u00aa-\uffff]+/g;

/** Longer words are data. */
const MAX_WORD = 64;
/** Words whose tokens are kept: most of a project's are few. */
const MAX_KEPT = 20_000;
const kept = new Map<string, string>();

/** The words that a name is made of, in lower case: `readHTTPBody` is read, http and body. */
export const splitName = (name: string): readonly string[] => (name.match(PART) ?? []).map((part) => part.toLowerCase());

const tokensOf = (word: string): string => {
  const parts = splitName(word);
  const stems = parts.filter((part) => part.length > 1).map(stem);
  if (parts.length > 1) stems.push(parts.join(''));
  return stems.join(' ');
};

/**
 * What is searched of a text: the stems of its words, and of names made of several words the parts and the whole. Separated by blanks, for
 * a tokenizer that only separates.
 *
 * @param limit tokens at most, about
 */
export function toTokens(text: string, limit = 2_000): string {
  const found: string[] = [];
  for (const word of text.match(WORD) ?? []) {
    if (word.length > MAX_WORD) continue;
    let tokens = kept.get(word);
    if (tokens === undefined) {
      tokens = tokensOf(word);
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(word, tokens);
    }
    if (tokens !== '') found.push(tokens);
    if (found.length >= limit) break;
  }
  return found.join(' ');
}

/** Words that say nothing of what code is about. */
const STOP = new Set(
  (
    'a an and any are as at be been being but by can code could did do does doing done each every file files find for from get had has have ' +
    'he how i if in into is it its just me more most my no not of on only or other our out over own place places same should show so some ' +
    'such than that the their them then there these they this those through to too up us use used using very was we were what when where ' +
    'which while who why will with would you your function method class return returns returned'
  ).split(' '),
);

/** The terms of a question, each once, in its order; those that say nothing only if there are no others. */
export function queryTerms(query: string): readonly string[] {
  const words = query.match(WORD) ?? [];
  const telling = words.filter((word) => !STOP.has(word.toLowerCase()));
  const tokens = toTokens((telling.length === 0 ? words : telling).join(' '), 64).split(' ');
  return [...new Set(tokens)].filter((token) => token !== '').slice(0, 32);
}
