import { findRuns } from './find-runs.js';

/** A range of a file's content, in code units. */
export interface Place {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/**
 * Where a text stands in a file (vocabularies, rule 9), overlapping places included. Exactly; only if it is nowhere so, it has line ends of
 * the form `\n` alone and the file has `\r\n`: with line ends taken as equal. Nothing else is ever taken as equal.
 * @param needle not empty
 */
export function locate(content: string, needle: string): Place[] {
  const exact = findRuns(content, needle).map((start) => ({ start: start - splitEnd(content, start), end: start + needle.length }));
  if (exact.length > 0 || !needle.includes('\n') || needle.includes('\r') || !content.includes('\r\n')) return exact;
  return locateByLines(content, needle);
}

/** 1 where a place would begin between `\r` and `\n`: a line end is never split. */
const splitEnd = (content: string, start: number): number => (start > 0 && content[start] === '\n' && content[start - 1] === '\r' ? 1 : 0);

/** Finds in the content without the `\r` of line ends, and tells the places in the content itself. */
function locateByLines(content: string, needle: string): Place[] {
  const starts = findRuns(content.replaceAll('\r\n', '\n'), needle);
  const places: Place[] = [];
  let dropped = content.indexOf('\r\n');
  let count = 0;
  const before = starts.flatMap((start) => [start, start + needle.length]).toSorted((one, other) => one - other);
  const originals = new Map<number, number>();
  for (const place of before) {
    // A `\r` belongs to the `\n` after it: a range that begins there has both, one that ends there has neither.
    while (dropped >= 0 && dropped - count < place) {
      count += 1;
      dropped = content.indexOf('\r\n', dropped + 2);
    }
    originals.set(place, place + count);
  }
  for (const start of starts) places.push({ start: originals.get(start)!, end: originals.get(start + needle.length)! });
  return places;
}

/** The number of the line, from 1, in which each of the places begins. */
export function linesOf(content: string, places: readonly Place[]): number[] {
  let line = 1;
  let read = 0;
  return places.map(({ start }) => {
    for (let next = content.indexOf('\n', read); next >= 0 && next < start; next = content.indexOf('\n', read)) {
      line += 1;
      read = next + 1;
    }
    return line;
  });
}
