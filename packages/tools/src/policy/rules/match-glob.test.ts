import { expect, test } from 'vitest';
import fc from 'fast-check';
import { matchGlob, matchLoosely } from './match-glob.js';

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
])('%s against %s: %s', (glob, path, expected) => expect(matchGlob(glob, path)).toBe(expected));

test('letter case counts for what allows, and not for what denies', () => {
  expect(matchGlob('SRC/*', 'src/a')).toBe(false);
  expect(matchLoosely('SRC/*', 'src/a')).toBe('whole');
});

test.each([
  ['secret/**', 'secret/a/b', 'whole'],
  ['secret/**', 'Secret./a', 'whole'],
  ['secret/**', 'x/../secret/a', 'whole'],
  ['secret/*', 'secret::$DATA/a', 'whole'],
  ['caf\u00e9/*', 'cafe\u0301/a', 'whole'],
  ['a:b', 'a:b', 'whole'],
  ['secret/**', 'secret', 'all below'],
  ['secret/**', '.', 'some below'],
  ['**/*.key', 'src', 'some below'],
  ['a/*/c', 'a/b', 'some below'],
  ['secret/**', 'src', undefined],
  ['secret', 'secret/a', undefined],
])('%s asks about %s: %s', (glob, path, expected) => expect(matchLoosely(glob, path)).toBe(expected));

test('no pattern makes it work for long', () => {
  const hostile = [`${'*a'.repeat(120)}b`, '**/a/'.repeat(50), '*/'.repeat(120), `${'?*'.repeat(120)}!`];
  for (const glob of hostile) {
    expect(matchGlob(glob, 'a'.repeat(500))).toBe(false);
    expect(matchGlob(glob, `${'a/'.repeat(250)}z!`)).toBe(false);
  }
});

test('what it allows a regular expression allows, too', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.'), maxLength: 10 });
  const globs = fc
    .string({ unit: fc.constantFrom('a', 'b', '/', '*', '?'), maxLength: 8 })
    .filter((glob) => !/\*\*/.test(glob) && glob !== '');
  fc.assert(
    fc.property(globs, letters, (glob, path) => {
      const clean = (text: string): string =>
        text
          .split('/')
          .filter((segment) => segment !== '' && segment !== '.')
          .join('/');
      const source = clean(glob).replaceAll('*', '[^/]*').replaceAll('?', '[^/]');
      fc.pre(clean(path) !== '');
      expect(matchGlob(glob, path)).toBe(new RegExp(`^${source}$`).test(clean(path)));
    }),
    { numRuns: 3000 },
  );
});
