import type { Merging } from './merging.js';
import { indentOf } from './indent.js';
import { type Source, Unclear, type Unit } from './units.js';

/** More than this share of a file's lines isn't deleted by leaving it out. */
export const MAX_OMITTED = 0.3;

interface Omission {
  /** What the file has and the changes have not, though no placeholder stands for it. */
  readonly hidden: readonly Unit[];
  readonly added: readonly Unit[];
  /** The neighbours in the changes. */
  readonly before: Unit | undefined;
  readonly after: Unit | undefined;
  readonly whole: readonly Unit[];
}

/** Statements between two matched units may be left out, and are deleted then; definitions never. */
export function assertOmitted(merging: Merging, { hidden, before, after }: Omission): void {
  if (hidden.length === 0) return;
  const { file, changes, omitted } = merging;
  const beside = before ?? after;
  const line = beside === undefined ? undefined : changes.lines[beside.start];
  const definition = hidden.find(({ kind, isImport }) => kind === 'definition' || isImport === true);
  if (definition !== undefined)
    throw new Unclear(
      line,
      `${definition.name ?? file.lines[definition.start]!.trim()} of the file is left out, and no placeholder stands for it`,
    );
  if (before === undefined || after === undefined) {
    const [first] = hidden;
    throw new Unclear(line, `"${file.lines[first!.start]!.trim().slice(0, 80)}" of the file is left out, and no placeholder stands for it`);
  }
  for (const { first, last } of hidden) for (let row = first; row <= last; row++) omitted.add(row);
  if (omitted.size > MAX_OMITTED * file.lines.length)
    throw new Unclear(line, 'more than 30 % of the file are left out, and no placeholder stands for it');
}

/**
 * A placeholder that is indented deeper than the unit above it, which nothing closes, may stand for the rest of that: members of a union, calls of
 * a chain.
 */
export function assertBeside({ lines }: Source, units: readonly Unit[]): void {
  const widthOf = (row: number): number => indentOf(lines[row]!).length;
  for (const [place, { kind, start }] of units.entries()) {
    const above = units[place - 1];
    if (kind !== 'placeholder' || above === undefined || above.kind === 'placeholder' || widthOf(start) <= widthOf(above.start)) continue;
    const isClosed = above.last > above.start && widthOf(above.last) <= widthOf(above.start);
    if (!isClosed) throw new Unclear(lines[start], `it may stand for a part of "${lines[above.start]!.trim().slice(0, 80)}"`);
  }
}

interface Addition {
  /** Units of the changes between two matched ones. */
  readonly between: readonly Unit[];
  /** The place of the placeholder that stands for `hidden`: -1 and the length of `between` are the edges. */
  readonly at: number;
  /** Placeholders in it, edges included. */
  readonly marks: number;
  readonly hidden: readonly Unit[];
  /** What is hidden is the top of the file. */
  readonly isTop: boolean;
}

/** Whether new units have one place among what placeholders stand for. */
export function assertAdded({ file, changes, likeness }: Merging, { between, at, marks, hidden, isTop }: Addition): void {
  const added = between.filter(({ kind }) => kind !== 'placeholder');
  const broken = added.find(({ errors = 0 }) => errors > 0);
  if (broken !== undefined) throw new Unclear(changes.lines[broken.start], 'it has a syntax error');
  if (hidden.length === 0) return;
  for (const unit of added) {
    const line = changes.lines[unit.start];
    const like = hidden.find((other) => likeness.resembles(unit, other));
    if (like !== undefined)
      throw new Unclear(line, `it resembles "${file.lines[like.start]!.trim().slice(0, 80)}": does it replace that, or stand beside it?`);
  }
  const before = between.slice(0, Math.max(0, at)).filter(({ kind }) => kind !== 'placeholder');
  const after = between.slice(Math.max(0, at)).filter(({ kind }) => kind !== 'placeholder');
  if (marks > 1 && added.length > 0) {
    const isAmong = hidden.at(-1)!.kind === 'definition' && added.every(({ kind }) => kind === 'definition') && before.length === 0;
    if (!isAmong) throw new Unclear(changes.lines[added[0]!.start], 'it stands between two placeholders, so its place is open');
  }
  if (after.length > 0 && hidden.at(-1)!.isEnd === true)
    throw new Unclear(changes.lines[after[0]!.start], `it would stand behind "${file.lines[hidden.at(-1)!.start]!.trim().slice(0, 80)}"`);
  if (before.length > 0 && isHead(file.lines[hidden[0]!.first]!, isTop))
    throw new Unclear(changes.lines[before[0]!.start], `it would stand before "${file.lines[hidden[0]!.first]!.trim().slice(0, 80)}"`);
}

/** Lines that nothing may stand before: what says how a file is read, texts that document it, and at its top comments. */
const isHead = (line: string, isTop: boolean): boolean =>
  /^\s*(?:["'`]|[rb]?["']{3}|@charset\b|<\?|from __future__|package\b|super\b)/.test(line) ||
  (isTop && /^(?:#|\/\/|\/\*|--|<!)/.test(line));
