import { expect, test } from 'vitest';
import fc from 'fast-check';
import { CallArguments } from './call-arguments.js';

/** Whether the arguments were whole after each piece. */
const finished = (pieces: readonly string[]): boolean[] => {
  const text = new CallArguments();
  return pieces.map((piece) => {
    text.add(piece);
    return text.isFinished;
  });
};

/** The same, each time from the beginning. */
const isWhole = (pieces: readonly string[]): boolean => {
  const given = pieces.filter((piece) => piece !== '');
  const text = given.join('').trim();
  if (!given.at(-1)?.trimEnd().endsWith('}') || text === '{}') return false;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
};

test('arguments are whole from the piece that closes the object', () => {
  expect(finished(['{"a":', '{"b":"}"', '}', '}'])).toEqual([false, false, false, true]);
  expect(finished([' {"a":"\\', '"}', '"}'])).toEqual([false, false, true]);
  expect(finished(['{"a":1}', '{"a":1}'])).toEqual([true, false]);
  expect(finished(['{}'])).toEqual([false]);
});

test('whatever the pieces, the answer is that of the whole text', () => {
  const piece = fc.constantFrom('{', '}', '[', ']', '"', '\\', '"a":', '1', ' ', '\u00a0', ',', '{}', '{"a":1}', '{"a":"}"}', '');
  const cut = fc.tuple(fc.json(), fc.array(fc.nat(40))).map(([json, places]) => {
    const text = `{"a":${json}}`;
    const ends = [...places, text.length].sort((a, b) => a - b);
    return ends.map((end, place) => text.slice(ends[place - 1] ?? 0, end));
  });
  fc.assert(
    fc.property(fc.oneof(fc.array(piece), cut), (pieces) => {
      expect(finished(pieces)).toEqual(pieces.map((_, place) => isWhole(pieces.slice(0, place + 1))));
    }),
    { numRuns: 500 },
  );
});

test('each piece is taken once', () => {
  const text = new CallArguments();
  expect(text.isEmpty).toBe(true);
  for (const piece of ['a', '', 'b']) text.add(piece);
  expect([text.isEmpty, text.takeUnsent(), text.takeUnsent()]).toEqual([false, ['a', 'b'], []]);
  text.add('c');
  expect(text.takeUnsent()).toEqual(['c']);
});

test('asking after each of many pieces looks at no character twice', () => {
  const many = 20_000;
  const answers = finished(['{"a":"', ...Array.from({ length: many }, () => `${'x'.repeat(50)}}`), '"}']);
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(answers.at(-1)).toBe(true);
});
