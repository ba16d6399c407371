import { type HunkLine, type PatchHunk, PatchRefused } from './patch-parts.js';

const HEADER = /^@@+\s*-(\d{1,9})(?:,(\d{1,9}))?\s+\+(\d{1,9})(?:,(\d{1,9}))?\s*@@?.*$/;
/** Hunks of one file. */
const MAX_HUNKS = 1_000;

interface Read {
  readonly hunk: PatchHunk | undefined;
  readonly next: number;
}

/** Whether a line begins another part of the patch. */
export type IsBoundary = (row: number) => boolean;

/**
 * Reads hunks from a row of the patch on, up to a boundary. Counts of headers decide only where they are right: a line of a hunk may look
 * like a header then.
 */
export function readHunks(lines: readonly string[], from: number, isBoundary: IsBoundary): { hunks: PatchHunk[]; next: number } {
  const hunks: PatchHunk[] = [];
  let row = from;
  while (row < lines.length && !isBoundary(row)) {
    const { hunk, next } = readHunk(lines, row, isBoundary);
    if (hunk !== undefined) hunks.push(hunk);
    if (hunks.length > MAX_HUNKS) throw new PatchRefused(`more than ${String(MAX_HUNKS)} hunks for one file; split the patch`);
    row = next;
  }
  return { hunks, next: row };
}

function readHunk(lines: readonly string[], from: number, isBoundary: IsBoundary): Read {
  let row = from;
  let header: RegExpExecArray | null = null;
  const anchors: string[] = [];
  while (row < lines.length && lines[row]!.startsWith('@@') && !isBoundary(row)) {
    const line = lines[row]!.trimEnd();
    header = HEADER.exec(line);
    const anchor = line.replace(/^@@+/, '').replace(/@@+$/, '').trim();
    row += 1;
    if (header !== null) break;
    if (anchor !== '' && !/^[-+]?\d[\d,\s+-]*$/.test(anchor) && !/^\.\.\.?$/.test(anchor)) anchors.push(anchor);
  }
  const [old, now] = header === null ? [] : [Number(header[2] ?? 1), Number(header[4] ?? 1)];
  const counted = old === undefined || now === undefined ? undefined : readCounted(lines, row, { old, now }, isBoundary);
  const end = counted ?? endOf(lines, row, isBoundary);
  const body = bodyOf(lines.slice(row, end), counted !== undefined);
  const isLast = lines[end]?.startsWith('*** End of File') === true;
  const next = isLast ? end + 1 : end;
  if (body.every(({ sign }) => sign === ' ')) return { hunk: undefined, next: Math.max(next, from + 1) };
  const start = header === null ? undefined : Math.max(0, Number(header[1]) - (old === 0 ? 0 : 1));
  return { hunk: { at: start, anchors, isLast, lines: body }, next };
}

/** The row behind the lines that the header counts; nothing if it counts wrongly. */
function readCounted(
  lines: readonly string[],
  from: number,
  { old, now }: { readonly old: number; readonly now: number },
  isBoundary: IsBoundary,
): number | undefined {
  let [left, right, row] = [old, now, from];
  while ((left > 0 || right > 0) && row < lines.length) {
    const sign = lines[row]![0] ?? ' ';
    if (sign === '\\') {
      row += 1;
      continue;
    }
    if (sign !== '+') left -= 1;
    if (sign !== '-') right -= 1;
    if (left < 0 || right < 0 || !' +-\r'.includes(sign)) return undefined;
    row += 1;
  }
  if (left > 0 || right > 0) return undefined;
  while (lines[row]?.startsWith('\\') === true) row += 1;
  const next = lines[row];
  const isEnd = next === undefined || next.trim() === '' || next.startsWith('@@') || isBoundary(row) || !/^[-+ ]/.test(next);
  return isEnd ? row : undefined;
}

const endOf = (lines: readonly string[], from: number, isBoundary: IsBoundary): number => {
  let row = from;
  while (row < lines.length && !isBoundary(row) && !lines[row]!.startsWith('@@') && !lines[row]!.startsWith('*** End of File')) row += 1;
  return row;
};

function bodyOf(given: readonly string[], isCounted: boolean): HunkLine[] {
  const lines = [...given];
  if (!isCounted) while (lines.length > 0 && lines.at(-1)!.trim() === '') lines.pop();
  const body: HunkLine[] = [];
  for (const line of lines) {
    const sign = line[0];
    if (sign === '\\') {
      const last = body.pop();
      if (last !== undefined) body.push({ ...last, noNewline: true });
    } else if (sign === ' ' || sign === '+' || sign === '-') body.push({ sign, text: withoutReturn(line.slice(1)), unsigned: false });
    else body.push({ sign: ' ', text: withoutReturn(line), unsigned: line.trim() !== '' });
  }
  return body;
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
