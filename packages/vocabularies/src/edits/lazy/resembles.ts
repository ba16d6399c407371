import type { Source, Unit } from './units.js';

/** As much alike as this, a new unit may be meant to replace the other one. */
const MIN_LIKENESS = 0.6;
/** Characters of a unit that are compared. */
const MAX_COMPARED = 600;
/** Lines of a unit that are compared. */
const MAX_LINES = 100;
/** What it costs to look at a pair of units, whatever they hold. */
const STEPS_A_PAIR = 300;
/** Steps of comparing for one edit; beyond, everything is alike. */
const MAX_STEPS = 40_000_000;

/** Compares units of two texts; it has a bound for all comparisons of one edit. */
export class Likeness {
  private steps = 0;

  constructor(
    private readonly file: Source,
    private readonly changes: Source,
  ) {}

  /** Whether nobody can tell if the unit of the changes is to replace that of the file, or to stand beside it. */
  resembles(added: Unit, other: Unit): boolean {
    this.steps += STEPS_A_PAIR;
    if (this.steps > MAX_STEPS) return true;
    const [one, two] = [textOf(this.changes, added), textOf(this.file, other)];
    if (added.name !== undefined && added.name === other.name) return true;
    if (added.isEnd === true && other.isEnd === true) return true;
    if (headOf(one) !== undefined && headOf(one) === headOf(two)) return true;
    if (areNear(added.name ?? one, other.name ?? two) && (added.name === undefined || withoutName(one, added) === withoutName(two, other)))
      return true;
    if (added.isImport === true || other.isImport === true) return added.isImport === other.isImport && sourceOf(one) === sourceOf(two);
    const isBlock = added.bodies.length > 0 && added.kind === 'definition';
    const [a, b] = isBlock ? [withoutName(insideOf(one), added), withoutName(insideOf(two), other)] : [one, two];
    if (added.kind === 'definition' && added.bodies.length > 0 && a.split('\n').length < LONG_BODY) return a !== '' && a === b;
    return !isOneLiner(added, one) && this.likeness(a.slice(0, MAX_COMPARED), b.slice(0, MAX_COMPARED)) >= MIN_LIKENESS;
  }

  /** The share of characters that both have in the same order. */
  private likeness(one: string, other: string): number {
    const sum = one.length + other.length;
    if (sum === 0) return 1;
    if ((2 * Math.min(one.length, other.length)) / sum < MIN_LIKENESS) return 0;
    this.steps += one.length * other.length;
    if (this.steps > MAX_STEPS) return 1;
    let above = new Uint16Array(other.length + 1);
    for (let row = 0; row < one.length; row++) {
      const current = new Uint16Array(other.length + 1);
      for (let column = 0; column < other.length; column++)
        current[column + 1] = one[row] === other[column] ? above[column]! + 1 : Math.max(above[column + 1]!, current[column]!);
      above = current;
    }
    return (2 * above[other.length]!) / sum;
  }
}

const textOf = ({ lines }: Source, { start, last }: Unit): string =>
  lines
    .slice(start, Math.min(last, start + MAX_LINES) + 1)
    .map((line) => line.trim().slice(0, MAX_COMPARED))
    .join('\n');

/** Definitions of fewer lines are often alike; then they resemble each other only if they are equal apart from what they are called. */
const LONG_BODY = 4;

/** A definition without its first line, and without what closes it. */
const insideOf = (text: string): string =>
  text
    .split('\n')
    .slice(1)
    .filter((line) => /[\w]/.test(line))
    .join('\n');

/** With its own name, where a definition uses it, as nothing: to rename it is no difference. */
const withoutName = (text: string, { name }: Unit): string =>
  text
    .split(/\b/)
    .filter((word) => word !== name)
    .join('');

/** `size() {}`: too short to be compared with others. */
const isOneLiner = ({ kind }: Unit, text: string): boolean =>
  kind === 'definition' && !text.includes('\n') && /^[^=:]*\(.*[;{}]$/.test(text);

/** Whether one of two names, or of two entries in a line each, is the beginning of the other. */
function areNear(one: string, other: string): boolean {
  const [short, long] = [one, other].map((text) => text.replace(/['",;\s]+$/, '')).toSorted((a, b) => a.length - b.length) as [
    string,
    string,
  ];
  return short.length > 1 && !long.includes('\n') && long.startsWith(short);
}

/** What an import is from. */
const sourceOf = (text: string): string =>
  /(["'<])([^"'<>]{1,300})["'>]/.exec(text)?.[2] ?? /^\s*(?:from|use|using|import)\s+([\w.:]+)/.exec(text)?.[1] ?? text;

/** What a statement begins with, where that says what it is about: the target of an assignment, or what a condition asks. */
const headOf = (text: string): string | undefined =>
  /^((?:const |let |var |final |auto |mut )*[\w$.[\]'"]{1,200}\s*:?=)(?!=)/.exec(text)?.[1]?.replace(/\s+/g, '') ??
  /^(?:else )?(?:if|while|for|switch|match)\b[^\n]{0,200}/.exec(text)?.[0];
