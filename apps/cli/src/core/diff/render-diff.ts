import { compareWords, languageOf, readDiff, type DiffFile, type DiffHunk, type DiffLine } from '@codelab/tools/patch';
import type { Highlighter } from '../markdown/highlight-code.js';
import { plainHighlighter } from '../markdown/highlight-code.js';
import type { Line, Span, Style } from '../text/span.js';
import { STYLES, span } from '../text/span.js';
import { wrapSpans } from '../text/wrap-spans.js';
import { colourHunk, overlay } from './colour-hunk.js';
import type { DiffColours } from './colour-hunk.js';

const CHANGED: Style = { bold: true, underline: true };

/**
 * Draws a unified diff: files, line numbers of both sides, removed and added lines with the words that differ marked, and the colours of
 * the language. A text that is no diff is drawn as it is.
 */
export function renderDiff(text: string, width: number, highlight: Highlighter = plainHighlighter): readonly Line[] {
  const files = readDiff(text);
  if (!files || files.length === 0) return wrapSpans([span(text.trimEnd())], { width, breaks: 'anywhere' });
  return files.flatMap((file, index) => [...(index > 0 ? [[]] : []), ...renderDiffFile(file, width, highlight)]);
}

function renderDiffFile(file: DiffFile, width: number, highlight: Highlighter): readonly Line[] {
  const colours = { highlight, language: languageOf(file.path) };
  const hunks = file.hunks.flatMap((hunk, index) => [...(index > 0 ? [[span('⋯', 'muted')]] : []), ...renderHunk(hunk, width, colours)]);
  return [...wrapSpans(headOfFile(file), { width }), ...hunks];
}

const KINDS: Readonly<Record<DiffFile['kind'], string>> = {
  modify: '',
  create: 'new file',
  delete: 'deleted',
  rename: 'renamed',
  copy: 'copied',
};

/** `src/a.ts  +3 −1`, with what happens to the file where it isn't merely changed. */
export function headOfFile(file: DiffFile): readonly Span[] {
  const name = file.from === undefined ? file.path : `${file.from} → ${file.path}`;
  const what = [KINDS[file.kind], file.mode ? `mode ${file.mode}` : '']
    .filter((part) => part !== '')
    .map((part) => span(`  ${part}`, 'warn'));
  return [span(name, 'strong'), ...what, span(`  +${file.added}`, 'good'), span(` −${file.removed}`, 'bad')];
}

/** Draws one hunk, or some lines of it, counted from 0. */
export function renderHunk(hunk: DiffHunk, width: number, colours?: DiffColours, [from, to] = [0, hunk.lines.length]): readonly Line[] {
  const last = hunk.lines.reduce((highest, line) => Math.max(highest, line.old ?? 0, line.now ?? 0), 0);
  const digits = Math.max(2, String(last).length);
  const shown = hunk.lines.slice(from, to);
  const words = compareWords(shown);
  const code = colours ? colourHunk(hunk.lines, colours) : [];
  return shown.flatMap((line, index) => {
    const style = LINE_STYLES[line.kind];
    const pieces = words.get(index) ?? [{ text: line.text, changed: false }];
    const marked = pieces.map(({ text, changed }) => ({ text, style: changed ? { ...style, ...CHANGED } : style }));
    const syntax = code[from + index];
    return renderDiffLine(line, syntax ? overlay(marked, syntax) : marked, digits, width);
  });
}

const MARKS = { context: ' ', added: '+', removed: '−' } as const;
const LINE_STYLES: Readonly<Record<DiffLine['kind'], Style>> = {
  context: STYLES.plain,
  added: STYLES.good,
  removed: STYLES.bad,
};

function renderDiffLine(line: DiffLine, text: Line, digits: number, width: number): readonly Line[] {
  const number = (value: number | undefined): string => (value === undefined ? '' : String(value)).padStart(digits);
  const style = LINE_STYLES[line.kind];
  const gutter = [span(`${number(line.old)} ${number(line.now)} `, 'muted'), { text: `${MARKS[line.kind]} `, style }];
  const blank = [span(' '.repeat(digits * 2 + 4))];
  const end = line.noNewline ? [span(' (no newline at the end)', 'muted')] : [];
  return wrapSpans([...text, ...end], { width, first: gutter, rest: blank, breaks: 'anywhere' });
}
