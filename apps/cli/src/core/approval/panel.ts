import type { Line, Span, StyleName } from '../text/span.js';
import { span } from '../text/span.js';
import { wrapSpans } from '../text/wrap-spans.js';

/** A part of the screen that asks for something. Its bar stands before each of its rows, so that nothing else looks like it. */
export interface Panel {
  readonly bar: string;
  readonly style: StyleName;
}

/** Only an approval has this bar; a model's question can't have it. */
export const APPROVAL_PANEL: Panel = { bar: '┃', style: 'approval' };
export const QUESTION_PANEL: Panel = { bar: '┊', style: 'question' };

const NO_BREAK = '\u00a0';

/** Puts the panel's bar before rows. */
export const inPanel = (panel: Panel, rows: readonly Line[]): readonly Line[] =>
  rows.map((line) => [span(`${panel.bar} `, panel.style), ...line]);

/** Wraps text for a panel of this width. */
export const panelText = (spans: readonly Span[], width: number): readonly Line[] => wrapSpans(spans, { width: width - 2 });

/** `a approve   r reject …`: the keys of a panel, each of them in one piece with what it does. */
export function keyRow(keys: readonly (readonly [key: string, does: string])[]): readonly Span[] {
  return keys.flatMap(([key, does], index) => [
    span(index === 0 ? '' : '   '),
    span(key, 'key'),
    span(` ${does}`.replaceAll(' ', NO_BREAK)),
  ]);
}
