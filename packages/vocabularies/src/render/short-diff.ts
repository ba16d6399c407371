import { cutLine, shownLines } from './shown-lines.js';

/** Lines that a short diff shows of each side. */
const MAX_LINES = 20;

/**
 * What changed between two contents, for a model that knows most of it: the lines from the first that differs to the last, numbered, `-12⇥old`
 * and `+12⇥new`, with one line around them. At most 20 of each side.
 */
export function shortDiff(before: string, after: string): string[] {
  const [old, fresh] = [shownLines(before), shownLines(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let [oldEnd, freshEnd] = [old.length, fresh.length];
  while (oldEnd > start && freshEnd > start && old[oldEnd - 1] === fresh[freshEnd - 1]) [oldEnd, freshEnd] = [oldEnd - 1, freshEnd - 1];
  if (start === oldEnd && start === freshEnd) return [];
  const side = (lines: readonly string[], end: number, sign: string): string[] => {
    const shown = lines
      .slice(start, Math.min(end, start + MAX_LINES))
      .map((line, place) => `${sign}${String(start + place + 1)}\t${cutLine(line)}`);
    return end - start > MAX_LINES ? [...shown, `${sign}… ${String(end - start - MAX_LINES)} more`] : shown;
  };
  const around = (place: number): string[] => (fresh[place] === undefined ? [] : [` ${String(place + 1)}\t${cutLine(fresh[place])}`]);
  return [...(start > 0 ? around(start - 1) : []), ...side(old, oldEnd, '-'), ...side(fresh, freshEnd, '+'), ...around(freshEnd)];
}
