import stringWidth from 'string-width';
import type { Line, Span, Style } from './span.js';
import { STYLES } from './span.js';
import { splitUnsafe } from '@codelab/tools/human';

/** Columns between tab stops, counted from where the text begins. */
const TAB_COLUMNS = 4;
const ASCII = /^[\x20-\x7e]*$/;
const WIDE_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

interface Cell {
  readonly text: string;
  readonly width: number;
  readonly style: Style;
}

export interface WrapOptions {
  /** Columns of the terminal that a row may fill, prefixes included. */
  readonly width: number;
  /** Stands before the first row, and before each further one. */
  readonly first?: Line;
  readonly rest?: Line;
  /** `word` (default) breaks at spaces, `anywhere` keeps every space: for code. */
  readonly breaks?: 'word' | 'anywhere';
}

/** The columns that text takes on the terminal, escapes counted as they are shown. */
export function measure(line: Line): number {
  return line.reduce((sum, { text }) => sum + splitUnsafe(text).reduce((width, piece) => width + stringWidth(piece.text), 0), 0);
}

/** Breaks spans into rows that fit. A newline begins a row; tabs become spaces; a word longer than a row is cut between graphemes. */
export function wrapSpans(spans: readonly Span[], options: WrapOptions): readonly Line[] {
  const first = options.first ?? [];
  const rest = options.rest ?? first;
  const room = (rowIndex: number): number => Math.max(1, options.width - measure(rowIndex === 0 ? first : rest));
  const rows: Cell[][] = [];
  for (const cells of toParagraphs(spans)) breakCells(cells, rows, room, options.breaks ?? 'word');
  return rows.map((row, index) => [...(index === 0 ? first : rest), ...toSpans(row)]);
}

/** Cuts a line to `width` columns, with an ellipsis where something was left out. */
export function truncateLine(line: Line, width: number): Line {
  if (measure(line) <= width) return line;
  const kept: Cell[] = [];
  let used = 0;
  for (const cell of toParagraphs(line)[0] ?? []) {
    if (used + cell.width > width - 1) break;
    kept.push(cell);
    used += cell.width;
  }
  return [...toSpans(kept), { text: '…', style: kept.at(-1)?.style ?? STYLES.plain }];
}

function toParagraphs(spans: readonly Span[]): readonly Cell[][] {
  const paragraphs: Cell[][] = [[]];
  let column = 0;
  for (const { text, style = STYLES.plain } of spans) {
    for (const piece of splitUnsafe(text)) {
      for (const grapheme of toGraphemes(piece.text)) {
        if (grapheme === '\n') {
          paragraphs.push([]);
          column = 0;
          continue;
        }
        const width = grapheme === '\t' ? TAB_COLUMNS - (column % TAB_COLUMNS) : columnsOf(grapheme);
        paragraphs
          .at(-1)!
          .push({ text: grapheme === '\t' ? ' '.repeat(width) : grapheme, width, style: piece.escaped ? STYLES.escaped : style });
        column += width;
      }
    }
  }
  return paragraphs;
}

function breakCells(cells: readonly Cell[], rows: Cell[][], room: (rowIndex: number) => number, breaks: 'word' | 'anywhere'): void {
  let row: Cell[] = [];
  let width = 0;
  for (const cell of cells) {
    if (width + cell.width > room(rows.length) && row.length > 0) {
      if (breaks === 'word' && isBlank(cell)) {
        row.push({ ...cell, width: 0 });
        continue;
      }
      const at = breaks === 'word' ? lastBreak(row) : row.length;
      rows.push(trimEnd(row.slice(0, at)));
      row = row.slice(at);
      width = row.reduce((sum, { width: columns }) => sum + columns, 0);
    }
    row.push(cell);
    width += cell.width;
  }
  rows.push(breaks === 'word' ? trimEnd(row) : row);
}

function lastBreak(row: readonly Cell[]): number {
  const inked = row.findIndex((cell) => !isBlank(cell));
  for (let at = row.length; at > inked + 1; at -= 1) {
    const before = row[at - 1]!;
    if (isBlank(before) || WIDE_SCRIPT.test(before.text)) return at;
  }
  return row.length;
}

/** Where a row may end: a space or a tab, not one that holds words together. */
const isBlank = (cell: Cell): boolean => /^ +$/.test(cell.text);

function trimEnd(row: readonly Cell[]): Cell[] {
  let end = row.length;
  while (end > 0 && isBlank(row[end - 1]!)) end -= 1;
  return row.slice(0, end);
}

function toSpans(cells: readonly Cell[]): Span[] {
  const spans: { text: string; style: Style }[] = [];
  for (const { text, style } of cells) {
    const last = spans.at(-1);
    if (last?.style === style) last.text += text;
    else spans.push({ text, style });
  }
  return spans;
}

const toGraphemes = (text: string): Iterable<string> =>
  ASCII.test(text) ? text : Array.from(segmenter.segment(text), ({ segment }) => (segment === '\r\n' ? '\n' : segment));

const columnsOf = (grapheme: string): number => (ASCII.test(grapheme) ? grapheme.length : stringWidth(grapheme));
