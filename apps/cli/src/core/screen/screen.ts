import type { Line } from '../text/span.js';
import { paintLine } from '../text/paint-line.js';
import type { Theme } from '../text/themes.js';
import { measure, truncateLine } from '../text/wrap-spans.js';

const BEGIN_UPDATE = '\x1b[?2026h\x1b[?25l';
const END_UPDATE = '\x1b[?2026l';
const SHOW_CURSOR = '\x1b[?25h';
const CLEAR_LINE = '\x1b[2K';
const CLEAR_BELOW = '\x1b[J';

/** What is to be seen: rows that scroll away for ever, and rows at the bottom that are drawn again. */
export interface Picture {
  readonly settled: readonly Line[];
  readonly live: readonly Line[];
  /** Where the user types, counted in `live`; hidden without. */
  readonly cursor?: Cursor | undefined;
}

export interface Cursor {
  readonly row: number;
  readonly column: number;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

interface Shown {
  readonly rows: readonly string[];
  readonly widths: readonly number[];
  /** Where the terminal's cursor was left. */
  readonly at: Cursor;
  readonly columns: number;
}

const NOTHING: Shown = { rows: [], widths: [], at: { row: 0, column: 0 }, columns: 0 };

/**
 * Turns pictures into terminal output. Settled rows are written once, into the terminal's own scrollback; of the live part only the rows
 * that changed are written again. It never grows over the terminal's height: the rows at its end count most.
 */
export class Screen {
  private shown = NOTHING;

  constructor(private readonly theme?: Theme) {}

  /** The characters that turn what is shown into `picture`; empty if it is shown already. */
  update(picture: Picture, size: Size): string {
    const hidden = Math.max(0, picture.live.length - Math.max(1, size.rows - 1));
    const live = picture.live.slice(hidden).map((line) => truncateLine(line, size.columns - 1));
    const rows = live.map((line) => paintLine(line, this.theme));
    const settled = picture.settled.map((line) => paintLine(line, this.theme));
    const cursor = picture.cursor && picture.cursor.row >= hidden ? { ...picture.cursor, row: picture.cursor.row - hidden } : undefined;
    const before = this.shown;
    const anew = settled.length > 0 || (before.columns !== 0 && before.columns !== size.columns);
    const drawn = anew ? drawAnew(before, settled, rows, size.columns) : drawChanges(before, rows);
    const at = cursor ?? { row: drawn.row, column: drawn.column };
    this.shown = { rows, widths: live.map(measure), at, columns: size.columns };
    const still = drawn.text === '' && at.row === before.at.row && at.column === before.at.column;
    if (still) return '';
    return `${BEGIN_UPDATE}${drawn.text}${cursor ? `${move(drawn.row, cursor.row)}\r${right(cursor.column)}${SHOW_CURSOR}` : ''}${END_UPDATE}`;
  }

  /** The characters that take the live part away and leave the cursor where it began. */
  clear(): string {
    const { at } = this.shown;
    this.shown = NOTHING;
    return `${move(at.row, 0)}\r${CLEAR_BELOW}${SHOW_CURSOR}`;
  }
}

interface Drawn {
  readonly text: string;
  readonly row: number;
  readonly column: number;
}

function drawAnew(before: Shown, settled: readonly string[], rows: readonly string[], columns: number): Drawn {
  const body = [...settled, ...rows].join('\r\n');
  const ended = rows.length === 0 && settled.length > 0 ? '\r\n' : '';
  return {
    text: `${move(rowAfterReflow(before, columns), 0)}\r${CLEAR_BELOW}${body}${ended}`,
    row: Math.max(0, rows.length - 1),
    column: -1,
  };
}

function drawChanges(before: Shown, rows: readonly string[]): Drawn {
  const first = rows.findIndex((row, index) => row !== before.rows[index]);
  const shrunk = before.rows.length > rows.length;
  if (first === -1 && !shrunk) return { text: '', ...before.at };
  const start = first === -1 ? rows.length : first;
  const beyond = start >= before.rows.length && start > 0;
  let text = beyond ? `${move(before.at.row, start - 1)}\r\n` : `${move(before.at.row, start)}\r`;
  for (let index = start; index < rows.length; index += 1) {
    if (index > start) text += '\r\n';
    if (rows[index] !== before.rows[index]) text += CLEAR_LINE + rows[index]!;
  }
  const row = Math.max(start, rows.length - 1);
  if (!shrunk) return { text, row, column: -1 };
  if (start === rows.length) return { text: text + CLEAR_BELOW, row, column: -1 };
  return { text: `${text}\r\n${CLEAR_BELOW}`, row: row + 1, column: -1 };
}

/** A narrower terminal has broken the rows that were shown; this is how many rows the cursor now is below their first. */
function rowAfterReflow(before: Shown, columns: number): number {
  if (before.columns <= columns) return before.at.row;
  const height = (width: number): number => Math.max(1, Math.ceil(width / columns));
  const above = before.widths.slice(0, before.at.row).reduce((sum, width) => sum + height(width), 0);
  return above + Math.floor(Math.max(0, before.at.column) / columns);
}

const move = (from: number, to: number): string => (from > to ? `\x1b[${from - to}A` : from < to ? `\x1b[${to - from}B` : '');
const right = (columns: number): string => (columns > 0 ? `\x1b[${columns}C` : '');
