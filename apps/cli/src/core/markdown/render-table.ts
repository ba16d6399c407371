import type { Tokens } from 'marked';
import type { Line, Span } from '../text/span.js';
import { STYLES, span } from '../text/span.js';
import { measure, wrapSpans } from '../text/wrap-spans.js';
import { inlineSpans } from './inline-spans.js';

/** No column gets narrower than this, as long as the terminal has the room. */
const MIN_COLUMN = 6;
const GAP = 3;

/** Draws a table with a rule below its head. Columns share the width by what they hold; long cells wrap. */
export function renderTable(table: Tokens.Table, width: number, marks: boolean): readonly Line[] {
  const head = table.header.map((cell) => inlineSpans(cell.tokens, STYLES.strong, marks));
  const body = table.rows.map((row) => row.map((cell) => inlineSpans(cell.tokens, {}, marks)));
  const columns = fitColumns([head, ...body], width);
  const rule = [span(columns.map((column) => '─'.repeat(column)).join('─┼─'), 'muted')];
  return [...renderRow(head, columns, table.align), rule, ...body.flatMap((row) => renderRow(row, columns, table.align))];
}

function fitColumns(rows: readonly (readonly (readonly Span[])[])[], width: number): readonly number[] {
  const natural = rows[0]!.map((_, column) => Math.max(1, ...rows.map((row) => measure(row[column] ?? []))));
  const columns = [...natural];
  const room = Math.max(columns.length, width - GAP * (columns.length - 1));
  let excess = columns.reduce((sum, column) => sum + column, 0) - room;
  while (excess > 0) {
    const widest = columns.indexOf(Math.max(...columns));
    if (columns[widest]! <= MIN_COLUMN) break;
    columns[widest]! -= 1;
    excess -= 1;
  }
  return columns;
}

function renderRow(cells: readonly (readonly Span[])[], columns: readonly number[], align: Tokens.Table['align']): readonly Line[] {
  const wrapped = columns.map((column, index) => wrapSpans(cells[index] ?? [], { width: column }));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    columns.flatMap((column, index): Span[] => {
      const line = wrapped[index]![row] ?? [];
      const space = Math.max(0, column - measure(line));
      const before = align[index] === 'right' ? space : align[index] === 'center' ? Math.floor(space / 2) : 0;
      const last = index === columns.length - 1;
      return [span(' '.repeat(before)), ...line, span(last ? '' : ' '.repeat(space - before)), ...(last ? [] : [span(' │ ', 'muted')])];
    }),
  );
}
