import { CONTAINERS, type CodeSymbol } from '../symbols/symbol.js';
import { MAX_CHUNK_LINES, type Chunk } from './chunk.js';
import { commentOf, startWithComment } from './comment-of.js';
import { splitLines } from './split-lines.js';

/** A container of so many lines is one chunk with all that is in it. */
const SMALL_CONTAINER = 20;
/** Definitions of so many lines are put together. */
const TINY = 4;
const TINY_TOGETHER = 16;

interface Definition {
  readonly symbol: CodeSymbol;
  /** With its comment. */
  readonly from: number;
  readonly members: Definition[];
}

/** Definitions in definitions; what is local to a function of ordinary length counts as its text. */
const nest = (lines: readonly string[], symbols: readonly CodeSymbol[]): Definition[] => {
  const top: Definition[] = [];
  const open: Definition[] = [];
  let floor = 1;
  for (const symbol of symbols) {
    while (open.length > 0 && open.at(-1)!.symbol.end < symbol.start) floor = Math.max(floor, open.pop()!.symbol.end + 1);
    const parent = open.at(-1);
    if (parent !== undefined && symbol.end > parent.symbol.end) continue;
    if (parent !== undefined && isWhole(parent)) continue;
    const definition = {
      symbol,
      from: startWithComment(lines, symbol.start, Math.max(floor, (parent?.symbol.start ?? 0) + 1)),
      members: [],
    };
    const siblings = parent?.members ?? top;
    if (siblings.at(-1)?.symbol.end === symbol.end && siblings.at(-1)?.symbol.start === symbol.start) continue; // two names on one line
    siblings.push(definition);
    open.push(definition);
  }
  return top;
};

const lengthOf = ({ from, symbol }: Definition): number => symbol.end - from + 1;
const isWhole = (definition: Definition): boolean =>
  lengthOf(definition) <= (CONTAINERS.has(definition.symbol.kind) ? SMALL_CONTAINER : MAX_CHUNK_LINES);

const nameOf = ({ name, container }: CodeSymbol): string => (container === '' ? name : `${container}.${name}`);

const toChunk = (lines: readonly string[], { symbol, from }: Definition): Chunk => ({
  start: from,
  end: symbol.end,
  name: nameOf(symbol),
  doc: commentOf(lines, { from, start: symbol.start, end: symbol.end }),
});

const chunksIn = (
  lines: readonly string[],
  range: { readonly start: number; readonly end: number },
  inside: readonly Definition[],
): Chunk[] => {
  const chunks: Chunk[] = [];
  let next = range.start;
  for (const definition of inside) {
    if (definition.from > next) chunks.push(...splitLines(lines, { start: next, end: definition.from - 1 }));
    chunks.push(...chunksOf(lines, definition));
    next = Math.max(next, definition.symbol.end + 1);
  }
  if (next <= range.end) chunks.push(...splitLines(lines, { start: next, end: range.end }));
  return chunks;
};

const chunksOf = (lines: readonly string[], definition: Definition): readonly Chunk[] => {
  const { symbol, from, members } = definition;
  const whole = toChunk(lines, definition);
  if (isWhole(definition)) return [whole];
  const [first, ...rest] =
    members.length === 0
      ? splitLines(lines, { start: from, end: symbol.end }, whole.name)
      : chunksIn(lines, { start: from, end: symbol.end }, members);
  return first === undefined
    ? [whole]
    : [first.name === '' || first.name === whole.name ? { ...first, name: whole.name, doc: whole.doc } : first, ...rest];
};

/** Neighbours of a line or two each are one chunk. */
const joinTiny = (chunks: readonly Chunk[]): readonly Chunk[] => {
  const joined: Chunk[] = [];
  for (const chunk of chunks) {
    const last = joined.at(-1);
    const isTiny = chunk.end - chunk.start < TINY && (last?.name === '') === (chunk.name === '');
    if (
      last !== undefined &&
      isTiny &&
      chunk.end - last.start < TINY_TOGETHER &&
      last.end - last.start < TINY_TOGETHER - TINY &&
      last.doc === ''
    )
      joined[joined.length - 1] = { start: last.start, end: chunk.end, name: `${last.name} ${chunk.name}`.trim(), doc: chunk.doc };
    else joined.push(chunk);
  }
  return joined;
};

/** Source code in pieces: definitions, large ones split, and what lies between them. */
export function chunkCode(lines: readonly string[], symbols: readonly CodeSymbol[]): readonly Chunk[] {
  return joinTiny(chunksIn(lines, { start: 1, end: lines.length }, nest(lines, symbols)));
}
