import { expect, test } from 'vitest';
import { lastLines, stripSteering } from './last-lines.js';

test.each([
  ['colours', '\x1b[31mred\x1b[0m \x1b[1;38;2;1;2;3mtrue\x1b[m', 'red true'],
  ['a title and a link', '\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\', 'ab'],
  ['character sets, saved cursors, device strings', '\x1b(B\x1b7a\x1b8\x1bP1$r\x1b\\b\x1bc', 'ab'],
  ['text that looks alike', '[31m ]0; (B', '[31m ]0; (B'],
])('%s', (_, text, expected) => expect(stripSteering(text)).toBe(expected));

test('a line that is written over shows as it was left', () => {
  expect(lastLines({ tail: 'one\r\n10 %\r99 %\r\n\n' }, 5)).toEqual(['one', '99 %']);
  expect(lastLines({ tail: 'a\nb\nc' }, 2)).toEqual(['b', 'c']);
});
