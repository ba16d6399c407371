/** The lines of a text as it is shown: without byte order mark and line ends; a final line end makes no further line, `''` has none (rule 5). */
export function shownLines(content: string): string[] {
  const text = content.startsWith('\uFEFF') ? content.slice(1) : content;
  if (text === '') return [];
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (text.endsWith('\n')) lines.pop();
  return lines;
}

/** Characters of a line that are shown by rows with numbered lines. */
const MAX_LINE = 2_000;

/** A long line is cut: ` …[+312]`. */
export function cutLine(line: string): string {
  if (line.length <= MAX_LINE) return line;
  let end = 0;
  for (let count = 0; count < MAX_LINE && end < line.length; count += 1) end += line.codePointAt(end)! > 0xffff ? 2 : 1;
  const rest = countCharacters(line, end);
  return rest === 0 ? line : `${line.slice(0, end)} …[+${String(rest)}]`;
}

const countCharacters = (text: string, from: number): number => {
  let count = 0;
  for (let at = from; at < text.length; at += text.codePointAt(at)! > 0xffff ? 2 : 1) count += 1;
  return count;
};

/** Lines with their numbers, the first of them `from`: `12⇥text`. */
export const numberLines = (lines: readonly string[], from: number, separator = '\t'): string[] =>
  lines.map((line, place) => `${String(from + place)}${separator}${cutLine(line)}`);

/** As many lines from the first on as fit into so many characters, at least one. */
export function fitLines(lines: readonly string[], maxCharacters: number): readonly string[] {
  let characters = 0;
  const end = lines.findIndex((line, place) => (characters += line.length + 1) > maxCharacters && place > 0);
  return end === -1 ? lines : lines.slice(0, end);
}

/** Characters of a result of a row that says nothing else (rule 12). */
export const MAX_RESULT = 60_000;
