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
export const cutLine = (line: string): string =>
  line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE)} …[+${String(line.length - MAX_LINE)}]`;

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
