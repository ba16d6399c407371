import { expect, test } from 'vitest';
import fc from 'fast-check';
import { highlightLines } from './highlight-code.js';

const textOf = (lines: ReturnType<typeof highlightLines>): string => lines.map((line) => line.map(({ text }) => text).join('')).join('\n');

test('code keeps every character, whatever it is and whatever it is said to be', () => {
  const languages = fc.constantFrom('ts', 'python', 'html', 'json', 'bash', 'css', 'nonsense', '', '__proto__');
  const code = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '"', '/*', '*/', '<', '>', '`', '${', '}', '#', '\u202e', '\r') });
  fc.assert(fc.property(code, languages, (text, language) => void expect(textOf(highlightLines(text, language))).toBe(text)));
});

test('a comment over several lines is a comment on each of them', () =>
  expect(highlightLines('/* a\nb */ const c = "d";', 'ts').map((line) => line.map(({ text, kind }) => `${kind ?? ''}:${text}`))).toEqual([
    ['comment:/* a'],
    ['comment:b */', ': ', 'keyword:const', ': c = ', 'string:"d"', ':;'],
  ]));
