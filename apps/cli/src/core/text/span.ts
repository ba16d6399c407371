/** How a stretch of text looks. Only the terminal's own palette is used, so that it fits the user's theme. */
export interface Style {
  readonly colour?: 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
  readonly strike?: boolean;
}

/** Text with a style. The text may come from outside: `wrapSpans` and `paintLine` make it safe. */
export interface Span {
  readonly text: string;
  readonly style?: Style;
}

/** One row of the terminal, once wrapped. */
export type Line = readonly Span[];

/** What each style means. One table, so that the whole command looks alike. */
export const STYLES = {
  plain: {},
  muted: { dim: true },
  strong: { bold: true },
  thought: { dim: true, italic: true },
  accent: { colour: 'cyan' },
  user: { colour: 'cyan', bold: true },
  good: { colour: 'green' },
  bad: { colour: 'red' },
  warn: { colour: 'yellow' },
  approval: { colour: 'yellow', bold: true },
  question: { colour: 'blue', bold: true },
  key: { bold: true, underline: true },
  code: { colour: 'magenta' },
  escaped: { colour: 'yellow', inverse: true },
} as const satisfies Record<string, Style>;

export type StyleName = keyof typeof STYLES;

/** `span('text', 'muted')`: a span in one of the named styles. */
export const span = (text: string, style: StyleName = 'plain'): Span => ({ text, style: STYLES[style] });
