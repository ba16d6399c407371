import { sanitiseLine } from '@codelab/tools/human';
import type { Line, StyleName } from './span.js';
import { span } from './span.js';
import { measure } from './wrap-spans.js';

/** A column of a table: how wide it may grow, and how it looks. */
export interface Column {
  readonly maxCharacters: number;
  readonly style?: StyleName;
}

/** Draws rows of texts from outside as a table without lines. Columns that hold nothing are left out. */
export function renderColumns(rows: readonly (readonly string[])[], columns: readonly Column[]): readonly Line[] {
  const safe = rows.map((row) => row.map((text, index) => sanitiseLine(text, columns[index]!.maxCharacters)));
  const used = columns.map((_, index) => index).filter((index) => safe.some((row) => row[index] !== ''));
  const widths = used.map((index) => safe.reduce((widest, row) => Math.max(widest, measure([span(row[index]!)])), 0));
  return safe.map((row) =>
    used.map((index, at) => {
      const text = row[index]!;
      const fill = at === used.length - 1 ? 0 : widths[at]! - measure([span(text)]) + 2;
      return span(text + ' '.repeat(fill), columns[index]!.style ?? 'muted');
    }),
  );
}
