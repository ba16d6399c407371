import { nearest } from '../embeddings/nearest.js';
import type { SourceReader } from '../indexing/source-tree.js';
import type { IndexStore } from '../store/index-store.js';
import { fuse } from './fuse.js';
import { rankByWords, type RankedChunk } from './rank-places.js';

/** A place of the code that a question is about. */
export interface Place {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly text: string;
  /** More is better; only to be compared with others of the same answer. */
  readonly score: number;
}

/** Characters of a place, and of all of them. */
const MAX_TEXT = 4_000;
const MAX_ALL = 60_000;
/** Places of one file. */
const MAX_OF_FILE = 5;
/** Chunks of one meaning that are looked at. */
const NEAR = 100;

interface Question {
  readonly query: string;
  readonly limit: number;
  /** What the question means, where there are vectors of the code. */
  readonly vector?: readonly number[] | undefined;
}

const ranked = (store: IndexStore, { query, limit, vector }: Question): readonly RankedChunk[] => {
  const byWords = rankByWords(store, query, limit);
  if (vector === undefined) return byWords;
  const byMeaning = nearest(store, vector, NEAR);
  const known = new Map(byWords.map((chunk) => [chunk.id, chunk]));
  return fuse([byWords.map(({ id }) => id), byMeaning]).flatMap(({ id, score }) => {
    const chunk = known.get(id) ?? store.chunk(id);
    return chunk === undefined ? [] : [{ ...chunk, score }];
  });
};

/** The places that a question is about, best first, none of them twice; their text is that of the files now. */
export function findPlaces(store: IndexStore, reader: SourceReader, question: Question): readonly Place[] {
  const places: Place[] = [];
  const ofFile = new Map<string, number>();
  const contents = new Map<string, readonly string[] | undefined>();
  let room = MAX_ALL;
  for (const { path, start, end, score } of store.reading(() => ranked(store, question))) {
    if (places.length >= question.limit || room <= 0) break;
    const count = ofFile.get(path) ?? 0;
    if (count >= MAX_OF_FILE || places.some((each) => each.path === path && each.start_line <= end && each.end_line >= start)) continue;
    if (!contents.has(path)) contents.set(path, reader.file(path)?.content.toString('utf8').split('\n'));
    const lines = contents.get(path)?.slice(start - 1, end) ?? [];
    if (lines.length === 0) continue;
    const text = cut(lines, Math.min(MAX_TEXT, room));
    room -= text.length;
    ofFile.set(path, count + 1);
    places.push({ path, start_line: start, end_line: start + lines.length - 1, text, score: Math.round(score * 1e4) / 1e4 });
  }
  return places;
}

const cut = (lines: readonly string[], limit: number): string => {
  const text = lines.map((line) => line.replace(/\r$/, '')).join('\n');
  if (text.length <= limit) return text;
  const end = text.lastIndexOf('\n', limit);
  return `${text.slice(0, end > 0 ? end : limit)}\n…`;
};
