import { expect, test } from 'vitest';
import fc from 'fast-check';
import { sanitise, sanitiseLine } from '@codelab/tools/human';
import { paintLine } from './paint-line.js';
import { THEMES } from './themes.js';
import { STYLES } from './span.js';
import { wrapSpans } from './wrap-spans.js';

// Anything, but mostly what terminals react to.
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom(
        '\x1b[2J',
        '\x1b]0;title\x07',
        '\x9b31m',
        '\r',
        '\u202e',
        '\u200b',
        '\u{e0041}',
        '👩‍👩‍👧',
        'می‌خواهم',
        '\t',
        '\n',
        '\x1b',
        '[31m',
      ),
    ),
  )
  .map((parts) => parts.join(''));

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2028\u2029\ufeff\u{e0000}-\u{e0fff}]/u;

test('no control character but newline and tab survives, and nothing that hides or reorders text', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const safe = sanitise(text);
      expect(safe).not.toMatch(CONTROL);
      expect(safe).not.toMatch(HIDDEN);
    }),
  );
});

test('what is safe already is not changed again', () => {
  fc.assert(fc.property(hostile, (text) => void expect(sanitise(sanitise(text))).toBe(sanitise(text))));
});

test('painted lines hold our own SGR codes and no other control character', () => {
  const style = fc.constantFrom(...Object.values(STYLES));
  fc.assert(
    fc.property(
      fc.array(fc.record({ text: hostile, style })),
      fc.constantFrom(undefined, ...Object.values(THEMES)),
      fc.integer({ min: 1, max: 40 }),
      (spans, theme, width) => {
        for (const line of [spans, ...wrapSpans(spans, { width })]) {
          const painted = paintLine(line, theme);
          // oxlint-disable-next-line no-control-regex
          const rest = theme ? painted.replace(/\x1b\[(?:\d{1,3};?)+m/g, '') : painted;
          expect(rest).not.toMatch(CONTROL);
        }
      },
    ),
  );
});

test.each([
  ['a title is set', '\x1b]0;pwned\x07', '\\x1b]0;pwned\\x07'],
  ['the screen is cleared by an 8-bit code', '\x9b2J', '\\x9b2J'],
  ['text is reordered', 'user\u202etxt.exe', 'user\\u{202e}txt.exe'],
  ['a space has no width', 'pass\u200bword', 'pass\\u{200b}word'],
  ['a tag hides instructions', 'a\u{e0041}b', 'a\\u{e0041}b'],
  ['a return overwrites the line', 'safe\rrm -rf /', 'safe\\rrm -rf /'],
  ['lines end as on Windows', 'a\r\nb', 'a\nb'],
  ['a surrogate stands alone', 'a\ud800b', 'a\\u{d800}b'],
  ['variation selectors carry data', 'a\ufe0f\u{e0100}', 'a\\u{fe0f}\\u{e0100}'],
])('%s: the characters are shown, not obeyed', (_, text, expected) => expect(sanitise(text)).toBe(expected));

test.each([['👩‍👩‍👧'], ['❤️'], ['می‌خواهم'], ['क्‍ष'], ['é'], ['日本語'], ['a\tb\nc']])('%s is left as it is', (text) =>
  expect(sanitise(text)).toBe(text),
);

test('a line is one line, and short', () => {
  expect(sanitiseLine('a\n\n\tb\x07')).toBe('a b\\x07');
  expect([...sanitiseLine('😀'.repeat(500), 10)]).toHaveLength(10);
});
