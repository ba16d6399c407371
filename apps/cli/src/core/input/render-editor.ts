import type { Line } from '../text/span.js';
import { span } from '../text/span.js';
import { measure, wrapSpans } from '../text/wrap-spans.js';
import type { Cursor } from '../screen/screen.js';
import type { EditorState } from './line-editor.js';

/** Rows of the text that are shown while it is written; longer text scrolls. */
const MAX_ROWS = 8;
const PROMPT: Line = [span('› ', 'user')];
const INDENT: Line = [span('  ')];

/** Draws the text being typed, and where the cursor stands in it. */
export function renderEditor(
  state: EditorState,
  width: number,
  placeholder: string,
): { readonly rows: readonly Line[]; readonly cursor: Cursor } {
  if (state.text === '') return { rows: [[...PROMPT, span(placeholder, 'muted')]], cursor: { row: 0, column: 2 } };
  const wrap = (text: string): readonly Line[] => wrapSpans([span(text)], { width, first: PROMPT, rest: INDENT, breaks: 'anywhere' });
  const rows = wrap(state.text);
  const before = wrap(state.text.slice(0, state.cursor));
  const full = measure(before.at(-1)!) >= width;
  const cursor = full ? { row: before.length, column: 2 } : { row: before.length - 1, column: measure(before.at(-1)!) };
  const all = cursor.row >= rows.length ? [...rows, INDENT] : rows;
  const first = Math.max(0, Math.min(cursor.row - MAX_ROWS + 1, all.length - MAX_ROWS));
  return { rows: all.slice(first, first + MAX_ROWS), cursor: { ...cursor, row: cursor.row - first } };
}
