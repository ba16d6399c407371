import { WINDOW_LINES, type Chunk } from './chunk.js';

const TELLING = /[\p{L}\p{N}]/u;

/** Pieces of a range of lines, cut at an empty line where there is one near; none of lines that say nothing. */
export function splitLines(lines: readonly string[], range: { readonly start: number; readonly end: number }, name = ''): readonly Chunk[] {
  const pieces: Chunk[] = [];
  let start = range.start;
  while (start <= range.end) {
    while (start <= range.end && !TELLING.test(lines[start - 1] ?? '')) start += 1;
    let end = Math.min(range.end, start + WINDOW_LINES - 1);
    if (end < range.end)
      for (let at = end; at > start + WINDOW_LINES / 2; at -= 1)
        if ((lines[at - 1] ?? '').trim() === '') {
          end = at;
          break;
        }
    let last = end;
    while (last >= start && !TELLING.test(lines[last - 1] ?? '')) last -= 1;
    if (last >= start) pieces.push({ start, end: last, name, doc: '' });
    start = end + 1;
  }
  return pieces;
}
