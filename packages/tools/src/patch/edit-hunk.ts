import type { PatchLine } from './patch.js';

const NO_NEWLINE = '\\ No newline at end of file';

/** What became of lines in an editor. */
type EditedLines =
  | { readonly ok: true; readonly lines: readonly PatchLine[] }
  /** What is wrong with the text, as a sentence for the one who edited it. */
  | { readonly ok: false; readonly fault: string };

/** Lines of a hunk as a person edits them: as they stand in a diff, without the header. CRLF is left to {@link parseEditedLines}. */
export const formatLines = (lines: readonly PatchLine[]): string => {
  const shown = hasCarriageReturns(lines) ? lines.map((line) => ({ ...line, text: line.text.slice(0, -1) })) : lines;
  return shown.map(({ sign, text, noNewline }) => `${sign}${text}\n${noNewline ? `${NO_NEWLINE}\n` : ''}`).join('');
};

/**
 * Reads what was made of `formatLines(original)`. Lines with `#` are comments. The old side, context and removed lines, must be what it was
 * and the marker of a missing newline must stand at the end of a side, so that the patch applies wherever the original did.
 *
 * @param endsHunk the lines are the last of their hunk: git takes a hunk that doesn't end with context for the end of the file
 */
export function parseEditedLines(original: readonly PatchLine[], edited: string, endsHunk = true): EditedLines {
  const read = readLines(restoreBlankEnd(original, edited));
  if (!read.ok) return read;
  const lines = hasCarriageReturns(original)
    ? read.lines.map((line) => ({ ...line, text: `${line.text.replace(/\r$/, '')}\r` }))
    : read.lines;
  const fault =
    findOldSideFault(sideOf(original, '+'), sideOf(lines, '+')) ??
    findMarkerFault(original, lines) ??
    (endsHunk ? findEndFault(original, lines) : undefined);
  return fault === undefined ? { ok: true, lines } : { ok: false, fault };
}

const hasCarriageReturns = (lines: readonly PatchLine[]): boolean => lines.length > 0 && lines.every(({ text }) => text.endsWith('\r'));

/** The lines of one side: those without the sign of the other. */
const sideOf = (lines: readonly PatchLine[], other: '+' | '-'): readonly PatchLine[] => lines.filter(({ sign }) => sign !== other);

/**
 * Rows of the text without comments. Editors strip the blank of an empty context line, and people leave blank lines behind: of those at the
 * end as many count as the original ends with.
 */
function restoreBlankEnd(original: readonly PatchLine[], text: string): readonly string[] {
  const rows = text.split('\n').filter((row) => !row.startsWith('#'));
  const isBlank = (row: string | undefined): boolean => row === '' || row === '\r';
  const end = rows.findLastIndex((row) => !isBlank(row)) + 1;
  const expected = original.length - (original.findLastIndex(({ sign, text: line }) => sign !== ' ' || !isBlank(line)) + 1);
  const spelt = rows.slice(0, end).length - (rows.slice(0, end).findLastIndex((row) => !isBlank(row.slice(1))) + 1);
  return [...rows.slice(0, end), ...rows.slice(end, rows.length - 1).slice(0, Math.max(0, expected - spelt))];
}

function readLines(rows: readonly string[]): EditedLines {
  const lines: PatchLine[] = [];
  for (const [index, row] of rows.entries()) {
    const sign = row === '' || row === '\r' ? ' ' : row[0];
    if (sign === '\\') {
      const last = lines.pop();
      if (last === undefined)
        return { ok: false, fault: `Line ${String(index + 1)} marks a line as the last one, and there is none before it.` };
      lines.push({ ...last, noNewline: true });
    } else if (sign === ' ' || sign === '+' || sign === '-') lines.push({ sign, text: row.slice(row === '\r' ? 0 : 1) });
    else return { ok: false, fault: `Line ${String(index + 1)} begins with “${[...row][0]!}”; each line begins with a blank, “+” or “-”.` };
  }
  return { ok: true, lines };
}

function findOldSideFault(before: readonly PatchLine[], after: readonly PatchLine[]): string | undefined {
  const index = before.findIndex((line, at) => line.text !== after[at]?.text || line.noNewline !== after[at].noNewline);
  if (index === -1 && before.length === after.length) return undefined;
  const expected = index === -1 ? undefined : before[index]!;
  if (expected === undefined) return `“${after[before.length]!.text}” is not in the file. A line that is to be added begins with “+”.`;
  if (expected.text === after[index]?.text) return `“${expected.text}” must keep its mark “${NO_NEWLINE}”, or its lack of one.`;
  return (
    `Line ${String(index + 1)} of the file’s part must stay “${expected.text}”. ` +
    'To keep it write a blank before it, to remove it “-”; only lines with “+” can be changed.'
  );
}

const findEndFault = (original: readonly PatchLine[], lines: readonly PatchLine[]): string | undefined =>
  original.at(-1)?.sign === ' ' && lines.at(-1)?.sign !== ' '
    ? `“${original.at(-1)!.text}” must stay the last line, without a change: git finds the place by it.`
    : undefined;

function findMarkerFault(original: readonly PatchLine[], lines: readonly PatchLine[]): string | undefined {
  const after = sideOf(lines, '-');
  if (after.slice(0, -1).some(({ noNewline }) => noNewline)) return `“${NO_NEWLINE}” stands before the last line.`;
  const reachesEnd = original.some(({ noNewline }) => noNewline);
  return !reachesEnd && lines.some(({ noNewline }) => noNewline) ? `“${NO_NEWLINE}” can’t be added here.` : undefined;
}
