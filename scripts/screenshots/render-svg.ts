import type { Cell } from '@codelab/testkit';

const CELL = { width: 8.4, height: 18, size: 14 } as const;
const PADDING = 16;
const BAR = 32;
const INK = '#d8dee9';
const PAPER = '#1e222a';
/** The first colours of the terminal's palette. */
const PALETTE: Readonly<Record<number, string>> = {
  1: '#e06c75',
  2: '#98c379',
  3: '#e5c07b',
  4: '#61afef',
  5: '#c678dd',
  6: '#56b6c2',
};

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const colourOf = (colour: Cell['colour'], usual: string): string =>
  typeof colour === 'string' ? colour : colour === undefined ? usual : (PALETTE[colour] ?? usual);

/** Draws the screen of a terminal. Rows that are empty at the end are left out. */
export function renderSvg(title: string, rows: readonly (readonly Cell[])[], columns: number): string {
  const last = rows.findLastIndex((row) => row.some(({ text }) => text !== ' '));
  const shown = rows.slice(0, last + 1);
  const [width, height] = [Math.round(columns * CELL.width) + 2 * PADDING, shown.length * CELL.height + BAR + PADDING];
  const lines = shown.flatMap((row, index) => renderRow(row, BAR + (index + 1) * CELL.height - 5));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}" role="img" aria-label="${escape(title)}">`,
    `<title>${escape(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${PAPER}"/>`,
    ...['#e06c75', '#e5c07b', '#98c379'].map((fill, n) => `<circle cx="${String(PADDING + 4 + n * 18)}" cy="16" r="5" fill="${fill}"/>`),
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${String(CELL.size)}" xml:space="preserve">`,
    ...lines,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** One element for each stretch that looks the same, of exactly the width that it has in a terminal. */
function renderRow(row: readonly Cell[], y: number): readonly string[] {
  const lines: string[] = [];
  let column = 0;
  for (let from = 0; from < row.length;) {
    let to = from + 1;
    while (to < row.length && lookOf(row[to]!) === lookOf(row[from]!)) to += 1;
    const stretch = row.slice(from, to);
    const text = stretch.map((cell) => cell.text).join('');
    const columns = stretch.reduce((sum, cell) => sum + cell.width, 0);
    const blank = text.length - text.trimStart().length;
    const width = columns - blank - (text.length - text.trimEnd().length);
    const place = `x="${(PADDING + (column + blank) * CELL.width).toFixed(1)}" y="${String(y)}" textLength="${(width * CELL.width).toFixed(1)}"`;
    if (width > 0) lines.push(`<text ${place} ${lookOf(row[from]!)}>${escape(text.trim())}</text>`);
    column += columns;
    from = to;
  }
  return lines;
}

const lookOf = ({ colour, bold, dim, italic, underline, strike }: Cell): string =>
  [
    `fill="${colourOf(colour, INK)}"`,
    bold && 'font-weight="bold"',
    dim && 'opacity="0.6"',
    italic && 'font-style="italic"',
    (underline || strike) && `text-decoration="${underline ? 'underline' : 'line-through'}"`,
  ]
    .filter((part) => part !== false)
    .join(' ');
