import type { FoundChunk, IndexStore } from '../store/index-store.js';
import { termStatistics } from './term-statistics.js';
import { queryTerms, toTokens } from '../text/tokens.js';

/** Weights of the columns: what it is called, where it lies, what its comment says, what stands in it. */
const WEIGHTS = [4, 1.5, 2, 1] as const;
/** Chunks whose order is looked at more closely. */
const CANDIDATES = 150;
/** Chunks that are scored at most, about: terms that more have only order what rarer ones found. */
const MAX_SCORED = 8_000;
/** A term that a larger share of chunks has says nothing, if there are others. */
const MAX_SHARE = 0.25;
const TEST_PATH =
  /(?:^|\/)(?:tests?|specs?|__tests__|__fixtures__|fixtures|testdata|examples?|vendor|third_party|bench(?:marks)?)\/|[._-](?:test|spec)s?\.[a-z]+$|(?:^|\/)test_[^/]*$/i;
const ABOUT_TESTS = /\b(?:tests?|specs?|fixtures?|examples?|benchmarks?)\b/i;

/** A chunk with its score; more is better. */
export interface RankedChunk extends FoundChunk {
  readonly score: number;
}

/** A term as FTS5 takes it: in quotes, so that nothing in it is syntax. */
const quote = (term: string): string => `"${term.replaceAll('"', '""')}"`;

interface Weighted {
  readonly term: string;
  readonly frequency: number;
  readonly weight: number;
}

const weigh = (store: IndexStore, terms: readonly string[]): readonly Weighted[] => {
  const statistics = termStatistics(store);
  const { total } = statistics;
  const weighted = terms
    .map((term) => ({ term, frequency: statistics.frequencyOf(term) }))
    .filter(({ frequency }) => frequency > 0)
    .map(({ term, frequency }) => ({ term, frequency, weight: Math.log(1 + Math.max(0, total - frequency + 0.5) / (frequency + 0.5)) }));
  const telling = weighted.filter(({ frequency }) => frequency <= total * MAX_SHARE);
  return telling.length === 0 ? weighted : telling;
};

/** Rare terms first, as many as the work allows, at least one. */
const affordable = (terms: readonly Weighted[]): readonly Weighted[] => {
  const chosen: Weighted[] = [];
  let scored = 0;
  for (const each of [...terms].sort((one, other) => one.frequency - other.frequency)) {
    if (chosen.length > 0 && scored + each.frequency > MAX_SCORED) break;
    chosen.push(each);
    scored += each.frequency;
  }
  return chosen;
};

/**
 * The chunks that have most to do with a question, by their words: BM25 over names, paths, comments and text, then how much of the question
 * each covers, and how much others refer to its file. Whatever stands in the question, it is words and never an expression.
 *
 * @param limit about so many
 */
export function rankByWords(store: IndexStore, query: string, limit: number): readonly RankedChunk[] {
  const terms = weigh(store, queryTerms(query));
  if (terms.length === 0) return [];
  const chosen = affordable(terms);
  const found = store.match(chosen.map(({ term }) => quote(term)).join(' OR '), WEIGHTS, Math.max(CANDIDATES, limit * 3));
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0);
  const covered = new Map<number, number>();
  const ids = found.map(({ id }) => id);
  for (const { term, frequency, weight } of terms)
    for (const id of store.matching(quote(term), ids, frequency)) covered.set(id, (covered.get(id) ?? 0) + weight);
  const aboutTests = ABOUT_TESTS.test(query);
  const words = new Set(terms.map(({ term }) => term));
  const ranked = found.map((chunk) => {
    const coverage = (covered.get(chunk.id) ?? 0) / whole;
    const named = chunk.name === '' ? 0 : nameShare(chunk.name, words);
    const place = !aboutTests && TEST_PATH.test(chunk.path) ? 0.6 : 1;
    const score = -chunk.bm25 * (0.4 + coverage) * (1 + 0.3 * named) * place * (1 + 0.04 * Math.log1p(Math.max(0, chunk.rank)));
    return { ...chunk, score };
  });
  return ranked.sort((one, other) => other.score - one.score || one.id - other.id);
}

/** How much of a name is in the question. */
const nameShare = (name: string, words: ReadonlySet<string>): number => {
  const last = toTokens(name.slice(name.lastIndexOf('.') + 1)).split(' ');
  return last.filter((token) => words.has(token)).length / Math.max(1, last.length);
};
