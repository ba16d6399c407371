import { expect, test } from 'vitest';
import fc from 'fast-check';
import { STYLES, span } from './span.js';
import { measure, truncateLine, wrapSpans } from './wrap-spans.js';

const rows = (text: string, width: number, breaks: 'word' | 'anywhere' = 'word'): string[] =>
  wrapSpans([span(text)], { width, breaks }).map((line) => line.map((part) => part.text).join(''));

test.each([
  ['the quick brown fox', 9, ['the quick', 'brown fox']],
  ['the quick  brown', 9, ['the quick', 'brown']],
  ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
  ['a abcdefgh', 4, ['a', 'abcd', 'efgh']],
  ['日本語テスト', 5, ['日本', '語テ', 'スト']],
  ['a\n\nb', 10, ['a', '', 'b']],
  ['  keep the indent', 12, ['  keep the', 'indent']],
  ['', 10, ['']],
])('%j at width %i', (text, width, expected) => expect(rows(text, width)).toEqual(expected));

test('code keeps every space and is cut at the edge', () => expect(rows('if (a) {  b', 6, 'anywhere')).toEqual(['if (a)', ' {  b']));

test('a tab reaches the next tab stop', () => expect(rows('a\tb', 20)).toEqual(['a   b']));

test('a word of several styles is not torn apart', () => {
  const lines = wrapSpans([span('see foo'), span('bar', 'strong')], { width: 7 });
  expect(lines).toEqual([
    [{ text: 'see', style: {} }],
    [
      { text: 'foo', style: {} },
      { text: 'bar', style: STYLES.strong },
    ],
  ]);
});

test('further rows get their own prefix', () => {
  const lines = wrapSpans([span('one two')], { width: 6, first: [span('› ')], rest: [span('  ')] });
  expect(lines.map((line) => line.map((part) => part.text).join(''))).toEqual(['› one', '  two']);
});

test('no row is wider than the terminal, and no visible character is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 8, max: 30 }), (text, width) => {
      const lines = wrapSpans([span(text)], { width });
      for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(width);
      const ink = (value: string): string => value.replace(/\s/gu, '');
      expect(
        ink(
          lines
            .flat()
            .map((part) => part.text)
            .join(''),
        ),
      ).toBe(
        ink(
          wrapSpans([span(text)], { width: 10_000 })
            .flat()
            .map((part) => part.text)
            .join(''),
        ),
      );
    }),
  );
});

test('a cut line says so', () =>
  expect(
    truncateLine([span('abcdefgh')], 5)
      .map((part) => part.text)
      .join(''),
  ).toBe('abcd…'));
