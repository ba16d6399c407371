/** Lines that belong together by their indentation, first and last, from 0. Written without a look at the code under test. */
export interface Block {
  readonly first: number;
  readonly last: number;
}

export const indentOf = (line: string): number => line.length - line.trimStart().length;
const isBlank = (line: string): boolean => line.trim() === '';
const closes = (line: string): boolean => /^\s*(?:[)\]}>]|end\b|\*\/)/.test(line);
const continues = (line: string): boolean =>
  /^\s*(?:[)\]}]|else\b|catch\b|finally\b|elif\b|except\b|while\b.*;$|\{|\.|\?|:|&&|\|\||\*|#e|=>)/.test(line);
const leads = (line: string): boolean => isComment(line) || /^\s*@\w+(?:\.\w+)*(?:\(.*\))?\s*$/.test(line);
const isComment = (line: string): boolean => /^\s*(?:\/\/|#(?!include|define|if|e|pragma|undef)|\/\*|\*)/.test(line);

/** The blocks of one indentation between two lines; none where a line stands further left. */
export function blocksOf(lines: readonly string[], from: number, to: number): Block[] {
  const filled = lines.slice(from, to + 1).filter((line) => !isBlank(line));
  const base = Math.min(...filled.map(indentOf));
  const blocks: { first: number; last: number }[] = [];
  for (let row = from; row <= to; row++) {
    const line = lines[row]!;
    if (isBlank(line)) continue;
    const previous = blocks.at(-1);
    const isInside = indentOf(line) > base || continues(line);
    const isUnderComment =
      previous !== undefined && previous.last === row - 1 && leads(lines[previous.last]!) && leads(lines[previous.first]!);
    if (previous !== undefined && (isInside || isUnderComment)) previous.last = row;
    else blocks.push({ first: row, last: row });
  }
  return blocks;
}

/** Whether as many brackets, long strings and conditions of the preprocessor end in the lines as begin there. */
export function isWhole(lines: readonly string[], { first, last }: Block): boolean {
  const depths = new Map<string, number>();
  let [ticks, quotes, conditions] = [0, 0, 0];
  for (const line of lines.slice(first, last + 1)) {
    quotes += line.match(/"""|'''/g)?.length ?? 0;
    if (/^\s*#\s*if/.test(line)) conditions += 1;
    if (/^\s*#\s*endif/.test(line)) conditions -= 1;
    const code = line.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\/\/.*$/g, '');
    ticks += code.replace(/\\./g, '').match(/`/g)?.length ?? 0;
    for (const sign of code) {
      const place = '()[]{}'.indexOf(sign);
      if (place >= 0) depths.set('([{'[place >> 1]!, (depths.get('([{'[place >> 1]!) ?? 0) + (place % 2 === 0 ? 1 : -1));
    }
  }
  return ticks % 2 === 0 && quotes % 2 === 0 && conditions === 0 && [...depths.values()].every((depth) => depth === 0);
}

/** The lines inside of a block that ends with a line that only closes it, or that has none (Python). */
export function insideOf(lines: readonly string[], { first, last }: Block): Block | undefined {
  let head = first;
  while (head < last && leads(lines[head]!)) head += 1;
  const base = indentOf(lines[head]!);
  while (head < last && !/[{:([]\s*$/.test(lines[head]!)) head += 1;
  const end = closes(lines[last]!) && indentOf(lines[last]!) === base ? last - 1 : last;
  let row = head + 1;
  while (row <= end && isBlank(lines[row]!)) row += 1;
  let bottom = end;
  while (bottom > row && isBlank(lines[bottom]!)) bottom -= 1;
  const inner = lines.slice(row, bottom + 1).filter((line) => !isBlank(line));
  if (inner.length === 0 || inner.some((line) => indentOf(line) <= base)) return undefined;
  return { first: row, last: bottom };
}
