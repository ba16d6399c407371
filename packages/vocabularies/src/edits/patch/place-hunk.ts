import { findRuns } from '../find-runs.js';
import { findTolerant } from '../tolerant.js';
import type { HunkLine, PatchHunk } from './patch-parts.js';

/** Where a hunk goes: the first of its old lines, and its lines as the file has them. */
export interface PlacedHunk {
  /** From 0. */
  readonly at: number;
  readonly lines: readonly HunkLine[];
  /** It fits only apart from indentation or trailing blanks. */
  readonly isTolerated: boolean;
}

export interface Misfit {
  readonly why: string;
}

/** `unique`: one place in the file, or below its anchor; numbers decide nothing, models guess them. `nearest`: exact places only, the one nearest to its line. */
export type Placing = 'unique' | 'nearest';

/** The place of a hunk in the lines of a file; more than one is none. */
export function placeHunk(lines: readonly string[], hunk: PatchHunk, placing: Placing): PlacedHunk | Misfit {
  const variants = [hunk.lines, ...(hunk.lines.some(({ unsigned }) => unsigned) ? [withLostBlanks(hunk.lines)] : [])];
  for (const variant of variants) {
    const old = variant.filter(({ sign }) => sign !== '+').map(({ text }) => text);
    if (old.length === 0) return placeAddition(lines, hunk, variant);
    if (old.every((line) => line.trim() === '')) return { why: 'it has no line of the file but blank ones; add lines around the change' };
    const places = findRuns(lines, old).filter((at) => !hunk.isLast || at + old.length === lines.length || placing === 'nearest');
    const place = choose(lines, old, hunk, places, placing);
    if (typeof place === 'number' && isWordless(old) && countApartFromIndentation(lines, old) > 1)
      return { why: 'it has no line of the file with a word, and its signs stand elsewhere, too; add lines around the change' };
    if (typeof place === 'number') return { at: place, lines: variant, isTolerated: false };
    if (place !== undefined) return place;
  }
  return placing === 'nearest' ? { why: 'its context is not in the file' } : placeTolerantly(lines, hunk);
}

/** Brackets and comment signs alone say little of a place: the indentation would, but it is what models lose. */
const isWordless = (lines: readonly string[]): boolean => lines.every((line) => !/[\p{L}\p{N}]/u.test(line));

const countApartFromIndentation = (lines: readonly string[], old: readonly string[]): number =>
  findRuns(
    lines.map((line) => line.trim()),
    old.map((line) => line.trim()),
  ).length;

/** A line without a sign may have lost the blank before it or all of its indentation's first blank. */
const withLostBlanks = (lines: readonly HunkLine[]): HunkLine[] =>
  lines.map((line) =>
    line.sign === ' ' && line.unsigned === false && line.text.startsWith(' ') ? { ...line, text: ` ${line.text}` } : line,
  );

function placeAddition(lines: readonly string[], hunk: PatchHunk, variant: readonly HunkLine[]): PlacedHunk | Misfit {
  if (lines.every((line) => line.trim() === '')) return { at: 0, lines: variant, isTolerated: false };
  if (hunk.isLast) return { at: lines.length, lines: variant, isTolerated: false };
  return { why: 'it has no line of the file; give some lines around what is added' };
}

function choose(
  lines: readonly string[],
  old: readonly string[],
  hunk: PatchHunk,
  places: readonly number[],
  placing: Placing,
): number | Misfit | undefined {
  const [one] = places;
  if (one === undefined) return undefined;
  if (placing === 'nearest') return nearest(places, hunk.at ?? 0);
  const block = hunk.anchors.length === 0 ? undefined : blockOf(lines, hunk.anchors);
  const lead = hunk.lines.findIndex(({ sign }) => sign !== ' ');
  const inside = block === undefined ? places : places.filter((at) => at + lead >= block.first && at + lead <= block.last + 1);
  if (block !== undefined && inside.length === 0) return { why: `its lines are not below "${hunk.anchors.at(-1)!}", only elsewhere` };
  const [first] = inside as readonly [number];
  if (inside.length === 1)
    return block === undefined && isNearlyAt(lines, old, hunk.at, first)
      ? { why: 'its lines fit elsewhere, but they are nearly those at its number' }
      : first;
  return {
    why: `it fits ${String(inside.length)} places (lines ${inside
      .slice(0, 10)
      .map((at) => String(at + 1))
      .join(', ')}); add lines around the change`,
  };
}

/** A place counts as nearest only if the next one is more than twice as far. */
function nearest(places: readonly number[], wanted: number): number | Misfit {
  const [first, second] = places.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted)) as [number, number?];
  const isClear = second === undefined || 2 * Math.abs(first - wanted) < Math.abs(second - wanted);
  return isClear ? first : { why: `it fits ${String(places.length)} places` };
}

/** Lines that must be equal where the header points to, for a fit elsewhere to be doubtful. */
const MIN_EQUAL = 0.5;

/** The file changed a little where the header points to: what fits exactly elsewhere may be a twin. */
function isNearlyAt(lines: readonly string[], old: readonly string[], at: number | undefined, place: number): boolean {
  if (at === undefined || Math.abs(at - place) < old.length) return false;
  const telling = old.map((line, index) => [line.trim(), index] as const).filter(([line]) => /\w/.test(line));
  const equal = telling.filter(([line, index]) => lines[at + index]?.trim() === line).length;
  return telling.length > 0 && equal / telling.length >= MIN_EQUAL;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The lines below anchors, each of which must be one line of the file below the one before it. */
function blockOf(lines: readonly string[], anchors: readonly string[]): { readonly first: number; readonly last: number } | undefined {
  let block: { readonly first: number; readonly last: number } | undefined;
  for (const anchor of anchors) {
    const { first, last }: { readonly first: number; readonly last: number } = block ?? { first: 0, last: lines.length - 1 };
    const rows: number[] = [];
    for (let row = first; row <= last; row++) if (lines[row]!.trim() === anchor.trim()) rows.push(row);
    const [row] = rows;
    if (row === undefined || rows.length > 1) continue;
    let end = row;
    while (end < last && (lines[end + 1]!.trim() === '' || indentOf(lines[end + 1]!) > indentOf(lines[row]!))) end += 1;
    block = { first: row, last: end > row ? Math.min(last, end + 1) : last };
  }
  return block;
}

function placeTolerantly(lines: readonly string[], hunk: PatchHunk): PlacedHunk | Misfit {
  const old = hunk.lines.filter(({ sign }) => sign !== '+').map(({ text }) => text);
  const now = hunk.lines.filter(({ sign }) => sign !== '-').map(({ text }) => text);
  const fit = findTolerant(lines, old, now);
  if (fit === undefined) return { why: 'its lines are not in the file' };
  const block = hunk.anchors.length === 0 ? undefined : blockOf(lines, hunk.anchors);
  if (block !== undefined && (fit.at < block.first || fit.at > block.last))
    return { why: `its lines are not below "${hunk.anchors.at(-1)!}"` };
  if (block === undefined && isNearlyAt(lines, old, hunk.at, fit.at))
    return { why: 'its lines fit elsewhere, but they are nearly those at its number' };
  let [read, written] = [fit.at, 0];
  const found = hunk.lines.map((line): HunkLine => {
    const put = line.sign === '-' ? undefined : fit.replace[written++];
    return { ...line, text: line.sign === '+' ? put! : lines[read++]! };
  });
  return { at: fit.at, lines: found, isTolerated: true };
}
