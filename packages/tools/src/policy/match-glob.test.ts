import { expect, test } from '@jest/globals';
import { matchGlob } from './match-glob.js';

test.each([
  ['src/**', 'src/a/b.js', true],
  ['src/**', 'src', false],
  ['**', 'a/b', true],
  ['**/*.js', 'a.js', true],
  ['**/*.js', 'x/y/a.js', true],
  ['*.js', 'x/a.js', false],
  ['src/*/a', 'src/x/a', true],
  ['src/*/a', 'src/x/y/a', false],
  ['a?c', 'abc', true],
  ['a?c', 'a/c', false],
  ['a/**/b', 'a/b', true],
  ['a/**/**/b', 'a/x/y/b', true],
  ['a.b', 'axb', false],
  ['a+(b)[c]', 'a+(b)[c]', true],
  ['./src//a', 'src/./a', true],
])('%s against %s: %s', (glob, path, expected) => expect(matchGlob(glob, path, { ignoreCase: false })).toBe(expected));

test('letter case counts only where it is asked to', () => {
  expect(matchGlob('SRC/*', 'src/a', { ignoreCase: true })).toBe(true);
  expect(matchGlob('SRC/*', 'src/a', { ignoreCase: false })).toBe(false);
});
