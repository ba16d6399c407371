import { type Body, type Source, Unclear, type Unit } from './units.js';

/** One change of indentation for all lines of a part of the changes. */
export interface Indent {
  readonly isNone: boolean;
  /** @throws Unclear for a line that can't be changed likewise */
  readonly apply: (line: string) => string;
}

export const NO_INDENT: Indent = { isNone: true, apply: (line) => line };

export const indentOf = (line: string): string => /^[ \t]*/.exec(line)![0];

/** The change between two bodies, told by the lines that their units begin with. */
export function shiftBetween({ file, changes }: { file: Source; changes: Source }, old: Body, body: Body, outer: Indent): Indent {
  const to = indentsOf(file, old.units);
  const from = indentsOf(
    changes,
    body.units.filter(({ kind }) => kind !== 'placeholder'),
  );
  const [given] = from;
  if (given === undefined || to.length === 0) return outer;
  if (from.every((indent) => to.includes(indent))) return NO_INDENT;
  if (from.some((indent) => indent !== given) || to.some((indent) => indent !== to[0]))
    throw new Unclear(
      changes.lines[body.units.find(({ kind }) => kind !== 'placeholder')!.start],
      'its indentation is not that of the file',
    );
  return changeOf(given, to[0]!);
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
