import { span, type Line } from '../text/span.js';
import { truncateLine } from '../text/wrap-spans.js';
import type { Key } from './key.js';

/** A search through earlier messages, newest first, as in a shell: Ctrl-R begins it, and goes on to an older one. */
export interface HistorySearch {
  readonly query: string;
  /** The message that is shown, counted in the history; -1 while there is none that fits. */
  readonly found: number;
}

/** What a key makes of a search: it goes on, the message is taken into the line, or the line is as it was. */
export type SearchStep =
  | { readonly kind: 'searching'; readonly search: HistorySearch }
  | { readonly kind: 'taken'; readonly text: string }
  | { readonly kind: 'left' };

export const NEW_SEARCH: HistorySearch = { query: '', found: -1 };

/** What a key does to a search through `history`, whose oldest message stands first. */
export function stepSearch(search: HistorySearch, history: readonly string[], key: Key): SearchStep {
  const { query, found } = search;
  if (key.kind === 'text' || key.kind === 'paste') return look(history, query + key.text, found === -1 ? history.length - 1 : found);
  if (key.kind === 'control' && key.letter === 'r') return older(search, history);
  if (key.kind === 'named' && key.name === 'backspace') return look(history, [...query].slice(0, -1).join(''), history.length - 1);
  if (key.kind === 'focus') return { kind: 'searching', search };
  const leaves = key.kind === 'control' ? key.letter === 'c' || key.letter === 'g' : key.name === 'escape';
  const text = history[found];
  return leaves || text === undefined ? { kind: 'left' } : { kind: 'taken', text };
}

/** The next older message that fits; where there is none, what is shown stays. */
function older({ query, found }: HistorySearch, history: readonly string[]): SearchStep {
  const next = findBack(history, query, found - 1, history[found]);
  return { kind: 'searching', search: { query, found: next === -1 ? found : next } };
}

const look = (history: readonly string[], query: string, from: number): SearchStep => ({
  kind: 'searching',
  search: { query, found: findBack(history, query, from) },
});

/** A query without capitals finds them, too. */
function findBack(history: readonly string[], query: string, from: number, other?: string): number {
  if (query === '') return -1;
  const fold = (text: string): string => (query === query.toLowerCase() ? text.toLowerCase() : text);
  for (let index = Math.min(from, history.length - 1); index >= 0; index -= 1)
    if (history[index] !== other && fold(history[index]!).includes(query)) return index;
  return -1;
}

/** Draws a search in the place of the line: what was typed, and the message that it has found. */
export function renderSearch({ query, found }: HistorySearch, history: readonly string[], width: number): readonly Line[] {
  const shown = history[found]?.replaceAll(/\s+/g, ' ');
  const rest = shown ?? (query === '' ? 'type a part of an earlier message' : 'no earlier message has it');
  const line = [span('search ', 'user'), span(query), span('  ›  ', 'muted'), span(rest, shown === undefined ? 'muted' : 'strong')];
  return [truncateLine(line, width)];
}

/** What stands before the query. */
export const SEARCH_PROMPT = 'search ';
