import type { Highlighter } from '../markdown/highlight-code.js';
import type { Line, Span, Style } from '../text/span.js';
import type { DiffLine } from '@codelab/tools/patch';

/** How the code of a diff is coloured. */
export interface DiffColours {
  readonly highlight: Highlighter;
  readonly language: string;
}

/**
 * The syntax colours of the lines of a hunk, each side read as one text, so that what spans lines is understood. Red and green belong to
 * the diff: green code is yellow here. A line that the highlighter can't give back character by character has none.
 */
export function colourHunk(lines: readonly DiffLine[], { highlight, language }: DiffColours): readonly (Line | undefined)[] {
  if (language === '') return lines.map(() => undefined);
  const side = (other: DiffLine['kind']): Line[] => {
    const own = lines.filter(({ kind }) => kind !== other);
    const rows = highlight(own.map(({ text }) => text).join('\n'), language);
    return own.map((_, index) => rows[index] ?? []);
  };
  const [before, after] = [side('added'), side('removed')];
  let [old, now] = [0, 0];
  return lines.map(({ kind, text }) => {
    const removed = kind === 'added' ? undefined : before[old++];
    const row = (kind === 'removed' ? removed : after[now++]) ?? [];
    return row.map((part) => part.text).join('') === text ? row.map(withoutGreen) : undefined;
  });
}

const withoutGreen = (part: Span): Span =>
  part.style?.colour === 'green' || part.style?.colour === 'red' ? { ...part, style: { ...part.style, colour: 'yellow' } } : part;

/** Lays the styles of one line over those of another one with the same text; `over` wins where both say something. */
export function overlay(under: Line, over: Line): Line {
  const spans: Span[] = [];
  let rest = [...over];
  for (const { text, style } of under) {
    let left = text;
    while (left !== '' && rest[0]) {
      const [first, ...others] = rest;
      const length = Math.min(left.length, first.text.length);
      if (length > 0) spans.push({ text: left.slice(0, length), style: merge(style, first.style) });
      left = left.slice(length);
      rest = length === first.text.length ? others : [{ ...first, text: first.text.slice(length) }, ...others];
    }
  }
  return spans;
}

const merge = (under: Style | undefined, over: Style | undefined): Style => ({ ...under, ...over });
