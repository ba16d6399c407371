import type { Body, Source, Unit } from './units.js';

/** Deeper levels count as one. */
const MAX_DEPTH = 60;
const DEFINES =
  /^(?:(?:export|default|public|private|protected|static|abstract|async|pub|open|final|local|override|internal)\s+)*(function|class|def|fn|func|fun|sub|proc|module|interface|struct|enum|trait|impl|object|resource|message|service)\b/;
const ENTRY = /^(?:"([^"\\]{1,200})"|([\w$.-]{1,200}))\s*[:=](?!=)/;
const ENDS = /^(?:return|throw|raise|break|continue|exit|die)\b/;
const IMPORTS = /^(?:import|from|require|use|using|include|#include)\b/;

/** A line that only closes brackets belongs to the unit that it closes. */
const closes = (line: string): boolean =>
  /^[\s)\]}>;,]*$/.test(line) && line.trim() !== '' ? true : /^\s*(?:end|fi|done|esac)\b[;,.)]*\s*$/.test(line);

const widthOf = (line: string): number => {
  let width = 0;
  for (const sign of line) {
    if (sign === '\t') width += 8 - (width % 8);
    else if (sign === ' ') width += 1;
    else return width;
  }
  return width;
};

/** The units of a text by its indentation, where nothing parses its language. */
export function readIndentation(lines: readonly string[], placeholders: ReadonlySet<number>, isComment: (line: string) => boolean): Source {
  const widths = lines.map(widthOf);
  const bodyOf = (first: number, last: number, depth: number): Body => {
    const units: Unit[] = [];
    let row = first;
    while (row <= last) {
      if (lines[row]!.trim() === '') {
        row += 1;
        continue;
      }
      const start = row;
      const width = widths[row]!;
      row += 1;
      if (placeholders.has(start)) {
        units.push({ kind: 'placeholder', key: '', first: start, start, last: start, bodies: [] });
        continue;
      }
      const bodies: Body[] = [];
      for (;;) {
        let end = row;
        let filled = start;
        while (end <= last && (lines[end]!.trim() === '' || widths[end]! > width)) {
          if (lines[end]!.trim() !== '') filled = end;
          end += 1;
        }
        const hasBody = filled >= row;
        if (hasBody) {
          if (depth < MAX_DEPTH) bodies.push(bodyOf(row, filled, depth + 1));
          row = filled + 1;
        }
        if (end <= last && widths[end]! === width && closes(lines[end]!) && (hasBody || end === row) && !placeholders.has(end))
          row = end + 1;
        else break;
      }
      units.push(unitOf(start, row - 1, bodies));
    }
    return { type: 'indented', first, last, units: withComments(units) };
  };
  /** Comments directly above a unit belong to it. */
  const withComments = (units: readonly Unit[]): Unit[] => {
    const joined: Unit[] = [];
    for (const unit of units) {
      const above = joined.at(-1);
      const belongs = above?.kind === 'statement' && above.last === unit.first - 1 && isComment(lines[above.last]!);
      if (belongs && isComment(lines[above.start]!) && unit.kind !== 'placeholder' && above.bodies.length === 0) {
        joined.pop();
        joined.push({ ...unit, first: above.first, start: isComment(lines[unit.start]!) ? above.start : unit.start });
      } else joined.push(unit);
    }
    return joined;
  };
  const unitOf = (start: number, last: number, bodies: readonly Body[]): Unit => {
    const line = lines[start]!.trim();
    const entry = bodies.length === 0 || !line.includes('(') ? ENTRY.exec(line) : null;
    const name = entry?.[1] ?? entry?.[2];
    return {
      kind: DEFINES.test(line) ? 'definition' : 'statement',
      key: name === undefined ? `line ${line}` : `entry ${name}`,
      name: name ?? (bodies.length > 0 ? line : undefined),
      isImport: IMPORTS.test(line),
      isEnd: ENDS.test(line),
      ...{ first: start, start, last, bodies },
    };
  };
  return { lines, root: bodyOf(0, lines.length - 1, 0), errors: 0, quoted: new Set(), placeholders };
}
