import { lexer } from 'marked';
import type { Token, Tokens } from 'marked';
import type { Line, Span } from '../text/span.js';
import { STYLES, span } from '../text/span.js';
import { wrapSpans } from '../text/wrap-spans.js';
import type { Highlighter } from './highlight-code.js';
import { inlineSpans } from './inline-spans.js';
import { renderTable } from './render-table.js';

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
