import { lexer, type Token, type Tokens } from 'marked';
import { type Line, type Span, STYLES, span } from '../text/span.js';
import { wrapSpans, measure } from '../text/wrap-spans.js';
import type { Highlighter } from './highlight-code.js';
import { inlineSpans } from './inline-spans.js';

/** No column gets narrower than this, as long as the terminal has the room. */
const MIN_COLUMN = 6;
const GAP = 3;

/** Draws a table with a rule below its head. Columns share the width by what they hold; long cells wrap. */
function renderTable(table: Tokens.Table, width: number, marks: boolean): readonly Line[] {
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

/** Prose is easier to read when its rows don't fill a wide terminal. */
export const MAX_PROSE_COLUMNS = 100;

/** A larger block is not taken apart: a parser that sees hostile text must not be given time to spend. */
const MAX_BLOCK_CHARACTERS = 32 * 1024;

export interface MarkdownLook {
  /** Columns to fill. */
  readonly width: number;
  readonly highlight: Highlighter;
  /** Show inline code in backticks, because there are no colours to show it with. */
  readonly marks: boolean;
}

/** Renders one block of Markdown (a paragraph, a heading, a list item, a quote, a table …). Never throws. */
export function renderMarkdown(source: string, look: MarkdownLook): readonly Line[] {
  if (source.length > MAX_BLOCK_CHARACTERS) return wrapSpans([span(source)], { width: look.width });
  return renderTokens(lexer(source), look);
}

/** Renders code, from line `from` on, with the colours that the lines before it call for. */
export function renderCode(lines: readonly string[], language: string, look: MarkdownLook, from = 0): readonly Line[] {
  const start = Math.max(0, from - CONTEXT_LINES);
  const coloured = look.highlight(lines.slice(start).join('\n'), language);
  const wrap = (line: Line): readonly Line[] => wrapSpans(line, { width: look.width, first: CODE_INDENT, breaks: 'anywhere' });
  return coloured.slice(from - start).flatMap((line) => (isEmpty(line) ? [[]] : wrap(line)));
}

const isEmpty = (line: Line): boolean => line.every(({ text }) => text === '');
const CODE_INDENT: Line = [span('  ')];
/** How many lines before the new ones are coloured again, for strings and comments that span lines. */
const CONTEXT_LINES = 200;

function renderTokens(tokens: readonly Token[], look: MarkdownLook): readonly Line[] {
  const lines: Line[] = [];
  let spaced = false;
  for (const token of tokens) {
    if (token.type === 'space') spaced = true;
    const rendered = renderToken(token, look);
    if (rendered.length === 0) continue;
    if (spaced && lines.length > 0) lines.push([]);
    lines.push(...rendered);
    spaced = /\n\s*\n$/.test(token.raw);
  }
  return lines;
}

function renderToken(token: Tokens.Generic, look: MarkdownLook): readonly Line[] {
  const prose = Math.min(look.width, MAX_PROSE_COLUMNS);
  const inline = (style = {}): readonly Span[] => inlineSpans(token.tokens ?? [token], style, look.marks);
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    case 'heading':
      return wrapSpans(inline(token.depth === 1 ? { ...STYLES.accent, bold: true } : STYLES.strong), { width: prose });
    case 'hr':
      return [[span('─'.repeat(Math.min(prose, 40)), 'muted')]];
    case 'code':
      return renderCode(String(token.text).split('\n'), String(token.lang ?? ''), look);
    case 'table':
      return renderTable(token as Tokens.Table, look.width, look.marks);
    case 'blockquote':
      return renderTokens(token.tokens ?? [], { ...look, width: look.width - 2 }).map((line) => [span('▏ ', 'muted'), ...line]);
    case 'list':
      return renderList(token as Tokens.List, look);
    case 'html':
      return wrapSpans([span(String(token.text).trimEnd())], { width: prose });
    default:
      return wrapSpans(inline(), { width: prose });
  }
}

function renderList(list: Tokens.List, look: MarkdownLook): readonly Line[] {
  return list.items.flatMap((item, index) => {
    const marker = list.ordered ? `${Number(list.start || 1) + index}. ` : item.task ? '' : '• ';
    const task = item.task ? (item.checked ? '☑ ' : '☐ ') : '';
    const prefix = marker + task;
    const lines = renderTokens(item.tokens, { ...look, width: look.width - prefix.length });
    const rows = lines.length === 0 ? [[]] : lines;
    const loose = item.loose && index > 0 ? [[]] : [];
    return [...loose, ...rows.map((line, row): Line => [row === 0 ? span(prefix, 'accent') : span(' '.repeat(prefix.length)), ...line])];
  });
}
