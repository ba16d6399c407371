import { type Body, type Source, Unclear, type Unit } from './units.js';

/** One change of indentation for all lines of a part of the changes. */
export interface Indent {
  readonly isNone: boolean;
  /** @throws Unclear for a line that can't be changed likewise */
  readonly apply: (line: string) => string;
}

export const NO_INDENT: Indent = { isNone: true, apply: (line) => line };

export const indentOf = (line: string): string => /^[ \t]*/.exec(line)![0];

/** The change between two bodies: told by units that are in both, else by the lines that their units begin with. */
export function shiftBetween({ file, changes }: { file: Source; changes: Source }, old: Body, body: Body, outer: Indent): Indent {
  const shown = body.units.filter(({ kind }) => kind !== 'placeholder');
  const to = indentsOf(file, old.units);
  const from = indentsOf(changes, shown);
  const [given] = from;
  if (given === undefined || to.length === 0) return outer;
  const known = new Map(old.units.map(({ key }, place) => [key, to[place]!]));
  const wanted = shown.map(({ key }) => known.get(key));
  const shifted = shown.findIndex((_unit, place) => wanted[place] !== undefined && wanted[place] !== from[place]);
  if (shifted < 0 && (wanted.some((indent) => indent !== undefined) || from.every((indent) => to.includes(indent)))) return NO_INDENT;
  const target = shifted < 0 ? to[0]! : wanted[shifted]!;
  const isUniform = from.every((indent) => indent === given) && wanted.every((indent) => indent === undefined || indent === target);
  if (!isUniform || (shifted < 0 && to.some((indent) => indent !== target)))
    throw new Unclear(changes.lines[shown[0]!.start], 'its indentation is not that of the file');
  return changeOf(given, target);
}

const indentsOf = ({ lines }: Source, units: readonly Unit[]): string[] => units.map(({ start }) => indentOf(lines[start]!));

function changeOf(from: string, to: string): Indent {
  const width = from.length / to.length;
  const converts = /^ +$/.test(from) && /^\t+$/.test(to) && Number.isInteger(width);
  const apply = (line: string): string => {
    if (line.trim() === '') return line;
    const indent = indentOf(line);
    if (converts) {
      const tabs = indent.length / width;
      if (indent.includes('\t') || !Number.isInteger(tabs)) throw new Unclear(line, 'its indentation is not that of the file');
      return '\t'.repeat(tabs) + line.slice(indent.length);
    }
    if (!line.startsWith(from) || (to.includes('\t') && / /.test(indent)) || (to.includes(' ') && /\t/.test(indent)))
      throw new Unclear(line, 'its indentation is not that of the file');
    return to + line.slice(from.length);
  };
  return { isNone: false, apply };
}
