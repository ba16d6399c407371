import { expect, test } from 'vitest';
import { JoinedText } from './joined-text.js';

const join = (...pieces: readonly (readonly [message: string, token: string])[]): string => {
  const text = new JoinedText();
  return pieces.map(([message, token]) => text.add(message, token)).join('');
};

test.each([
  [
    [
      ['a', 'One'],
      ['a', ' two.'],
      ['b', 'Three'],
      ['b', '.'],
    ],
    'One two.\n\nThree.',
  ],
  [
    [
      ['a', 'One.\n'],
      ['b', 'Two'],
    ],
    'One.\n\nTwo',
  ],
  [
    [
      ['a', 'One.\n\n'],
      ['b', 'Two'],
    ],
    'One.\n\nTwo',
  ],
  [
    [
      ['a', 'One.\n'],
      ['a', '\n'],
      ['b', 'Two'],
    ],
    'One.\n\nTwo',
  ],
  [
    [
      ['a', ''],
      ['b', 'Two'],
    ],
    'Two',
  ],
  [
    [
      ['a', 'One'],
      ['b', ''],
      ['c', 'Two'],
    ],
    'One\n\nTwo',
  ],
] as const)('%j is joined with blank lines', (pieces, text) => expect(join(...pieces)).toBe(text));

test('a remark of ours stands in a paragraph of its own, also where nothing was said', () => {
  const text = new JoinedText();
  text.add('a', 'One');
  expect(text.remark('[stop]')).toBe('\n\n[stop]');
  expect(new JoinedText().remark('[stop]')).toBe('[stop]');
});
