import { findLanguage, loadGrammarFor, makeQuery, parse, type Query } from '@codelab/grammars';
import { QUERIES } from './queries.js';
import { showSymbol } from './shown-symbol.js';
import type { CodeSymbol } from './symbol.js';

/** Longer texts are not parsed, in characters: their trees would take more memory than the index may. */
const MAX_PARSED = 300_000;
const MAX_SYMBOLS = 2_000;

const queries = new Map<string, Promise<Query | undefined>>();

const queryOf = (path: string, grammar: string): Promise<Query | undefined> => {
  let made = queries.get(grammar);
  if (made === undefined) {
    made = loadGrammarFor(path).then(() => makeQuery(grammar, QUERIES[grammar]!));
    queries.set(grammar, made);
  }
  return made;
};

const withContainers = (found: readonly Omit<CodeSymbol, 'container'>[]): readonly CodeSymbol[] => {
  const open: { readonly name: string; readonly end: number; readonly start: number }[] = [];
  return found.map((symbol) => {
    while (open.length > 0 && open.at(-1)!.end < symbol.start) open.pop();
    const around = open.filter(({ start, end }) => end >= symbol.end && (start < symbol.start || end > symbol.end));
    open.push(symbol);
    return { ...symbol, container: around.map(({ name }) => name).join('.') };
  });
};

/**
 * The definitions of a file in the order of their lines, found by the grammar of its language; none where there is no grammar, where the
 * text is too long, and where it is too hard to parse.
 */
export async function extractSymbols(path: string, text: string): Promise<readonly CodeSymbol[]> {
  const { grammar } = findLanguage(path);
  if (grammar === undefined || QUERIES[grammar] === undefined || text.length > MAX_PARSED) return [];
  const query = await queryOf(path, grammar);
  const tree = query && parse(grammar, text);
  if (tree === undefined) return [];
  try {
    const byPlace = new Map<string, Omit<CodeSymbol, 'container'>>();
    for (const { captures } of query!.matches(tree.rootNode)) {
      const name = captures.find((capture) => capture.name === 'name')?.node;
      const whole = captures.find((capture) => capture.name !== 'name');
      if (name === undefined || whole === undefined || byPlace.size >= MAX_SYMBOLS) continue;
      const label = name.text.replace(/\s+/g, ' ').slice(0, 100);
      const key = `${String(name.startIndex)} ${label}`;
      const kind = whole.name;
      if (byPlace.has(key) && kind === 'constant') continue; // a function that is held by a constant
      byPlace.set(key, {
        name: label,
        kind,
        start: whole.node.startPosition.row + 1,
        end: whole.node.endPosition.row + 1,
        shown: /function|method|macro/.test(kind) ? showSymbol(label, text.slice(name.endIndex, name.endIndex + 400)) : label,
      });
    }
    const found = [...byPlace.values()].sort((one, other) => one.start - other.start || other.end - one.end);
    return withContainers(found);
  } finally {
    tree.delete();
  }
}
