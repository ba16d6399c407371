import { type Indent, indentOf, shiftBetween } from './indent.js';
import { pairUnits } from './pair-units.js';
import type { Merging } from './merging.js';
import { assertAdded, assertBeside, assertOmitted } from './assert-placed.js';
import { type Body, type Source, Unclear, type Unit } from './units.js';

/** A line of the result: of the file or of the changes, by its row, or a blank one. */
export type Row =
  | { readonly from: 'file'; readonly row: number }
  | { readonly from: 'changes'; readonly row: number; readonly indent: Indent }
  | { readonly from: 'blank' };

interface Piece {
  readonly rows: readonly Row[];
  /** Units of the file that it stands for, first and last, if it does. */
  readonly units?: readonly [number, number];
  /** The unit of the changes; absent for what an edge stands for. */
  readonly unit?: Unit | undefined;
  readonly isNew?: boolean;
  readonly isHidden?: boolean;
}

/** Where the changes are a part of a body, what is around it stays. */
export interface BodyOptions {
  readonly open: boolean;
  readonly indent: Indent;
}

const fileRows = (first: number, last: number): Row[] => range(first, last).map((row) => ({ from: 'file', row }));
const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_none, place) => first + place);

const headOf = ({ start, head }: Unit): number => head ?? start;

/** What decorates a unit: `@Test`, `#[test`, `template`. */
const namesAbove = ({ lines }: Source, unit: Unit): readonly string[] =>
  lines
    .slice(unit.start, headOf(unit))
    .join('\n')
    .match(/@[\w.]+|#!?\[\s*[\w:]+|\[\[\s*[\w:]+|^\s*template\b/gm) ?? [];

const CLAUSE = /^\s*(?:\}\s*)?(?:else|elif|elsif|except|finally|catch|rescue|ensure|while)\b/;

/** Lines of a unit that go on with it as far to the left as it begins. */
function clausesOf({ lines }: Source, unit: Unit): string[] {
  const rows = lines.slice(headOf(unit) + 1, unit.last + 1);
  const indent = indentOf(lines[headOf(unit)]!);
  return rows.filter((line) => CLAUSE.test(line) && indentOf(line) === indent).map((line) => line.trim());
}

/** How often each line stands in a body, and how often it is the first one of a unit of some key. */
function countHeaders(file: Source, { first, last, units }: Body): { lines: Map<string, number>; units: Map<string, number> } {
  const counts = { lines: new Map<string, number>(), units: new Map<string, number>() };
  const count = (of: Map<string, number>, key: string): void => void of.set(key, (of.get(key) ?? 0) + 1);
  for (let row = first; row <= last; row++) count(counts.lines, file.lines[row]!);
  for (const unit of units) count(counts.units, `${unit.key}\n${file.lines[headOf(unit)]!}`);
  return counts;
}

/** The lines of a body of the file after the changes of it (docs/specification/vocabularies.md#lazy-edits). */
export function mergeBody(merging: Merging, fileBody: Body, changed: Body, { open, indent: outer }: BodyOptions): Row[] {
  const { file, changes } = merging;
  const units = fileBody.units;
  const indent = shiftBetween(merging, fileBody, changed, outer);
  const pairs = pairUnits(merging, units, changed.units);
  assertBeside(changes, changed.units);
  const headers = countHeaders(file, fileBody);
  const pieces: Piece[] = [];
  let done = -1;
  let place = 0;
  for (const [next, unit] of changed.units.entries()) {
    const target = pairs.get(next);
    if (target === undefined) continue;
    pieces.push(...segment(place, next, done + 1, target - 1));
    pieces.push({ rows: merged(units[target]!, unit, next), units: [target, target], unit });
    done = target;
    place = next + 1;
  }
  pieces.push(...segment(place, changed.units.length, done + 1, units.length - 1));
  const places = new Map<Unit, number>(changed.units.map((unit, at) => [unit, at]));
  let usual: number | undefined;
  return joined(pieces);

  /** What stands in the changes between two matched units, while the file has `from` to `to` there. */
  function segment(first: number, until: number, from: number, to: number): Piece[] {
    const between = changed.units.slice(first, until);
    const isStart = first === 0 && open;
    const isEnd = until === changed.units.length && open;
    const marks = between.flatMap(({ kind }, place) => (kind === 'placeholder' ? [place] : []));
    const edges = (isStart ? 1 : 0) + (isEnd && !(isStart && between.length === 0) ? 1 : 0);
    const hidden = units.slice(from, to + 1);
    const added = between.filter(({ kind }) => kind !== 'placeholder');
    const at = isStart ? -1 : (marks[0] ?? (isEnd ? between.length : undefined));
    if (at === undefined)
      assertOmitted(merging, { hidden, added, before: changed.units[first - 1], after: changed.units[until], whole: units });
    else assertAdded(merging, { between, at, marks: marks.length + edges, hidden, isTop: fileBody.type === file.root.type && from === 0 });
    const pieces = between.map((unit, place): Piece & { place: number } =>
      unit.kind === 'placeholder'
        ? { place, ...standIn(place === at), unit }
        : { place, rows: changedRows(unit.first, unit.last), unit, isNew: true },
    );
    const edge: Piece = standIn(true);
    if (isStart) return [edge, ...pieces];
    return at === between.length ? [...pieces, edge] : pieces;

    function standIn(isFirst: boolean): Piece {
      if (!isFirst || hidden.length === 0) return { rows: [], isHidden: true };
      return { rows: fileRows(hidden[0]!.first, hidden.at(-1)!.last), units: [from, to], isHidden: true };
    }
  }

  function merged(old: Unit, unit: Unit, place: number): Row[] {
    const isBelowPlaceholder = place === 0 ? open : changed.units[place - 1]!.kind === 'placeholder';
    assertAlone(old, unit);
    if (unit.isOpen === true || (unit.errors ?? 0) > (old.errors ?? 0))
      throw new Unclear(changes.lines[unit.start], 'it has a syntax error');
    const enters = isLazy(unit);
    const keepsComments = unit.first === unit.start && old.first < old.start && (isBelowPlaceholder || enters);
    const comments = keepsComments ? fileRows(old.first, old.start - 1) : changedRows(unit.first, unit.start - 1);
    if (!enters && isSame(old, unit)) return [...comments, ...fileRows(old.start, old.last)];
    const next = changed.units[place + 1];
    if (!enters && (next === undefined ? open : next.kind === 'placeholder')) assertSameClauses(old, unit);
    return [...comments, ...(enters ? entered(old, unit) : changedRows(unit.start, unit.last))];
  }

  /** What follows may stand for the rest of a statement: `else` and the like. */
  function assertSameClauses(old: Unit, unit: Unit): void {
    const [there, given] = [clausesOf(file, old), clausesOf(changes, unit)];
    if (there.length > given.length)
      throw new Unclear(changes.lines[headOf(unit)], `the file goes on with "${there[given.length]!.slice(0, 80)}" in it`);
  }

  /** Where a file has errors, or its grammar is at a loss, units may hide others: their first lines show. */
  function assertAlone(old: Unit, unit: Unit): void {
    const [head, header] = [headOf(old), file.lines[headOf(old)]!];
    const given = changes.lines[headOf(unit)]!;
    const twins = headers.lines.get(header) ?? 0;
    if (twins > (headers.units.get(`${old.key}\n${header}`) ?? 0))
      throw new Unclear(given, `its first line stands in the file ${String(twins)} times`);
    const shown = namesAbove(changes, unit);
    const missing = namesAbove(file, old).find((name) => !shown.includes(name));
    if (missing !== undefined) throw new Unclear(given, `the file has "${missing}" above it`);
    const top = range(head + 1, Math.min(old.last, head + 5, (old.bodies.find(({ first }) => first > head)?.first ?? old.last + 1) - 1));
    if (top.some((row) => file.lines[row]!.trim() === given.trim()))
      throw new Unclear(given, `the file has "${header.trim().slice(0, 80)}" above it`);
  }

  function isLazy({ first, last }: Unit): boolean {
    return range(first, last).some((row) => changes.placeholders.has(row));
  }

  function isSame(old: Unit, unit: Unit): boolean {
    if (old.last - old.start !== unit.last - unit.start) return false;
    return range(0, old.last - old.start).every((line) => indent.apply(changes.lines[unit.start + line]!) === file.lines[old.start + line]);
  }

  /** A unit of which something is left out: its bodies are merged, the lines around them are those of the changes. */
  function entered(old: Unit, unit: Unit): Row[] {
    const header = changes.lines[unit.start]!;
    if (unit.bodies.length === 0 || unit.bodies.length !== old.bodies.length)
      throw new Unclear(header, 'it is built otherwise than in the file, so what its placeholder stands for is open');
    const rows: Row[] = [];
    let [read, seen] = [unit.start, old.start];
    for (const [place, body] of unit.bodies.entries()) {
      const oldBody = old.bodies[place]!;
      if (body.type !== oldBody.type) throw new Unclear(header, 'it is built otherwise than in the file');
      rows.push(...frame(read, body.first - 1, seen, oldBody.first - 1));
      const isLeftOut = range(body.first, body.last).some((row) => changes.placeholders.has(row));
      rows.push(...(isLeftOut ? mergeBody(merging, oldBody, body, { open: false, indent }) : changedRows(body.first, body.last)));
      read = body.last + 1;
      seen = oldBody.last + 1;
    }
    return [...rows, ...frame(read, unit.last, seen, old.last)];
  }

  /** Lines around bodies: the file's where they say the same. */
  function frame(first: number, last: number, oldFirst: number, oldLast: number): Row[] {
    const lone = range(first, last).find((row) => changes.placeholders.has(row));
    if (lone !== undefined) throw new Unclear(changes.lines[lone], 'nothing can be left out there');
    const isEqual =
      last - first === oldLast - oldFirst &&
      range(0, last - first).every((line) => indent.apply(changes.lines[first + line]!) === file.lines[oldFirst + line]);
    return isEqual ? fileRows(oldFirst, oldLast) : changedRows(first, last);
  }

  function changedRows(first: number, last: number): Row[] {
    return range(first, last).map((row) => {
      if (changes.placeholders.has(row)) throw new Unclear(changes.lines[row], 'the file has nothing that it could stand for there');
      if (!indent.isNone && changes.quoted.has(row))
        throw new Unclear(changes.lines[row], 'its indentation differs from that of the file, and it is part of a text');
      return { from: 'changes', row, indent };
    });
  }

  /** Puts pieces together with the blank lines between them. */
  function joined(all: readonly Piece[]): Row[] {
    const [first, last] = [units[0], units.at(-1)];
    const rows: Row[] = first === undefined ? [] : fileRows(fileBody.first, first.first - 1);
    let above: Piece | undefined;
    let passed = false;
    for (const piece of all) {
      if (piece.rows.length === 0) {
        passed ||= piece.isHidden === true;
        continue;
      }
      if (above !== undefined) rows.push(...gap(above, piece, passed));
      for (const row of piece.rows) rows.push(row);
      above = piece;
      passed = false;
    }
    return last === undefined ? rows : [...rows, ...fileRows(last.last + 1, fileBody.last)];
  }

  /** `passed`: a placeholder that stands for nothing is between them. */
  function gap(one: Piece, other: Piece, passed: boolean): Row[] {
    const neighbours = one.units !== undefined && other.units !== undefined && one.units[1] + 1 === other.units[0];
    if (neighbours && (passed || one.isHidden === true || other.isHidden === true))
      return fileRows(units[one.units[1]]!.last + 1, units[other.units[0]]!.first - 1);
    const [above, below] = [one.unit ?? edgeBy(other, -1), other.unit ?? edgeBy(one, 1)];
    const given = above === undefined || below === undefined ? 0 : below.first - above.last - 1 - (passed ? 1 : 0);
    const added = one.isNew === true ? one : other.isNew === true ? other : undefined;
    const beside = added?.unit?.kind === 'definition' && (passed || one.isHidden === true || other.isHidden === true);
    const blanks = given <= 0 && beside ? (usual ??= usualGap()) : given;
    return range(1, blanks).map(() => ({ from: 'blank' }));
  }

  function edgeBy({ unit }: Piece, step: number): Unit | undefined {
    return unit === undefined ? undefined : changed.units[places.get(unit)! + step];
  }

  /** Blank lines that most definitions of the body have before them. */
  function usualGap(): number {
    const gaps = units.slice(1).flatMap((unit, place) => (unit.kind === 'definition' ? [unit.first - units[place]!.last - 1] : []));
    const sorted = gaps.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  }
}
