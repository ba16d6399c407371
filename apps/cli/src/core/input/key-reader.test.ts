import { expect, test } from 'vitest';
import fc from 'fast-check';
import type { Key } from './key.js';
import { KeyReader } from './key-reader.js';

const read = (...pieces: string[]): Key[] => {
  const reader = new KeyReader();
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.flush()];
};
const show = (keys: readonly Key[]): string[] =>
  keys.map((key) => {
    if (key.kind === 'focus') return key.focused ? 'focused' : 'away';
    return key.kind === 'named' ? key.name : key.kind === 'control' ? `^${key.letter}` : key.text;
  });

test.each([
  ['letters and control keys', 'aé😀\x03\x04', ['a', 'é', '😀', '^c', '^d']],
  ['enter, newline, tab, backspace', '\r\n\t\x7f', ['enter', 'newline', 'tab', 'backspace']],
  ['arrows of both modes', '\x1b[A\x1bOB\x1b[1;5C', ['up', 'down', 'word-right']],
  ['alt and shift with enter', '\x1b\r\x1b[13;3u\x1b[13;2u', ['alt-enter', 'alt-enter', 'newline']],
  ['the focus of the window', '\x1b[Ia\x1b[O', ['focused', 'a', 'away']],
  ['a lone escape at the end', 'a\x1b', ['a', 'escape']],
  ['sequences that mean nothing here', '\x1b[?1;2c\x1b[38;5;1mx\x1b]11;rgb:0/0/0\x07y\x1bP1$r\x1b\\z', ['x', 'y', 'z']],
])('%s', (_, text, expected) => expect(show(read(text))).toEqual(expected));

test('a paste is one key, whatever it holds, and in whatever pieces it comes', () => {
  expect(read('\x1b[200~a\r\nrm\x1b[A', '\x03 -rf\x1b[20', '1~b')).toEqual([
    { kind: 'paste', text: 'a\nrm\x1b[A\x03 -rf' },
    { kind: 'text', text: 'b' },
  ]);
});

test('pieces of any size give the same keys', () => {
  const text = 'ab\x1b[Ac\x1b[200~x\ny\x1b[201~\x1bOD\x1b[13;2ud\r';
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: text.length })), (points) => {
      const sorted = [0, ...points.sort((a, b) => a - b), text.length];
      expect(read(...sorted.slice(1).map((end, index) => text.slice(sorted[index], end)))).toEqual(read(text));
    }),
  );
});
