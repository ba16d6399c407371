import { findRuns } from './find-runs.js';

/** Lines that fit apart from trailing blanks and one change of indentation. */
export interface TolerantFit {
  /** The first line, from 0. */
  readonly at: number;
  /** The lines to write, indented as the file is. */
  readonly replace: readonly string[];
}

/** Lines compared at most, so that a file of equal lines costs no more than others. */
const MAX_COMPARED = 1_000_000;

/**
 * The one place where whole lines stand apart from trailing blanks and a change of indentation that is the same for all of them (vocabularies,
 * rule 10): some blanks more, some fewer, or tabs for a fixed number of spaces. `undefined`: it fits nowhere or in several places, or the
 * lines to write can't be changed likewise.
 */
export function findTolerant(lines: readonly string[], search: readonly string[], replace: readonly string[]): TolerantFit | undefined {
  if (search.every((line) => line.trim() === '')) return undefined;
  const candidates = findRuns(
    lines.map((line) => line.trim()),
    search.map((line) => line.trim()),
  );
  if (candidates.length * search.length > MAX_COMPARED) return undefined;
  const fits = candidates.flatMap((at) => {
    const change = changeBetween(search, lines.slice(at, at + search.length));
    return change === undefined ? [] : [{ at, change }];
  });
  const [fit] = fits;
  if (fit === undefined || fits.length > 1) return undefined;
  const kept = keptLines(search, replace);
  const written = replace.map((line, place) => {
    const same = kept(place);
    if (same !== undefined) return lines[fit.at + same]!;
    return line.trim() === '' ? line : fit.change(line);
  });
  return written.includes(undefined) ? undefined : { at: fit.at, replace: written as string[] };
}

/** Of a line of the replacement the one of the search that it leaves as it is: its file may have blanks behind it. */
function keptLines(search: readonly string[], replace: readonly string[]): (place: number) => number | undefined {
  const grown = replace.length - search.length;
  const shortest = Math.min(search.length, replace.length);
  let head = 0;
  while (head < shortest && search[head] === replace[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && search.at(-1 - tail) === replace.at(-1 - tail)) tail += 1;
  return (place) => {
    if (place >= replace.length - tail) return place - grown;
    return place < head || (grown === 0 && search[place] === replace[place]) ? place : undefined;
  };
}

/** From a line as it was given to one as the file has it; `undefined` if that can't be. */
type Change = (line: string) => string | undefined;

const indentOf = (line: string): string => /^[ \t]*/.exec(line)![0];

function changeBetween(given: readonly string[], found: readonly string[]): Change | undefined {
  const pairs = given.flatMap((line, place) => (line.trim() === '' ? [] : [[line, found[place]!] as const]));
  const [line, other] = pairs[0]!;
  return changesFor(indentOf(line), indentOf(other), pairs).find((change) =>
    pairs.every(([one, wanted]) => change(one)?.trimEnd() === wanted.trimEnd()),
  );
}

function changesFor(from: string, to: string, pairs: readonly (readonly [string, string])[]): Change[] {
  const changes: Change[] = [];
  if (to.endsWith(from)) changes.push((line) => to.slice(0, to.length - from.length) + line);
  if (from.endsWith(to)) {
    const prefix = from.slice(0, from.length - to.length);
    changes.push((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : undefined));
  }
  // Tabs for spaces: the first indented line says how many.
  const [spaced, tabbed] = pairs.map(([one, other]) => [indentOf(one), indentOf(other)] as const).find(([one]) => one !== '') ?? ['', ''];
  if (/^ +$/.test(spaced) && /^\t+$/.test(tabbed)) changes.push(toTabs(spaced.length / tabbed.length));
  if (/^\t+$/.test(spaced) && /^ +$/.test(tabbed)) changes.push(toSpaces(tabbed.length / spaced.length));
  return changes;
}

const toTabs =
  (width: number): Change =>
  (line) => {
    const indent = indentOf(line);
    const tabs = indent.length / width;
    if (!Number.isInteger(width) || indent.includes('\t') || !Number.isInteger(tabs)) return undefined;
    return '\t'.repeat(tabs) + line.slice(indent.length);
  };

const toSpaces =
  (width: number): Change =>
  (line) => {
    const indent = indentOf(line);
    if (!Number.isInteger(width) || indent.includes(' ')) return undefined;
    return ' '.repeat(indent.length * width) + line.slice(indent.length);
  };
