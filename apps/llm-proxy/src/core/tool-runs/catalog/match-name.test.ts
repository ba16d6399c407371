import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { matchesName } from './match-name.js';

test.each([
  ['GET_*', 'get_weather', true],
  ['get_*', 'GET_WEATHER', true],
  ['*', '', true],
  ['*', 'anything', true],
  ['', '', true],
  ['', 'x', false],
  ['a*', 'ba', false],
  ['*a', 'ab', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a**b', 'ab', true],
  ['*b*c*', 'abbc', true],
  ['*b*c*', 'acb', false],
  ['*ab*b', 'ab', false],
  ['git.*', 'git.diff', true],
  ['git.*', 'git_diff', false],
  ['?', 'x', false],
  ['[a-z]', 'a', false],
  ['a+', 'aa', false],
  ['\\d', '1', false],
  ['İ*', 'i̇x', true],
])('%j fits %j: %s', (pattern, name, fits) => expect(matchesName(pattern, name)).toBe(fits));

const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '?', '*', '_'), maxLength: 12 });

test(verifies('L3:CP1-matcher', 'a name fits exactly where an anchored search without regard to case would find it'), () => {
  const escaped = (piece: string): string => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  fc.assert(
    fc.property(text, text, (pattern, name) => {
      const reference = new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 'is');
      expect([pattern, name, matchesName(pattern, name)]).toEqual([pattern, name, reference.test(name)]);
    }),
    { numRuns: 200 },
  );
});

test('a pattern made to be slow is as fast as any other', () => {
  const name = 'a'.repeat(20_000);
  expect(matchesName(`${'*a'.repeat(5_000)}b`, name)).toBe(false);
  expect(matchesName(`${'*a'.repeat(5_000)}*`, name)).toBe(true);
});
