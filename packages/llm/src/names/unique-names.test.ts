import { expect, test } from 'vitest';
import fc from 'fast-check';
import { UniqueNames } from './unique-names.js';

const give = (wanted: readonly string[]): string[] => {
  const names = new UniqueNames();
  return wanted.map((name) => names.give(name));
};

test.each<[wanted: string[], given: string[]]>([
  [['c', 'd', 'c', 'c', 'd'], ['c', 'd', 'c_2', 'c_3', 'd_2']],
  [['c', 'c_2', 'c', 'c_2', 'c'], ['c', 'c_2', 'c_3', 'c_2_2', 'c_4']],
  [['c', 'c', 'c_2', 'c_3', 'c'], ['c', 'c_2', 'c_2_2', 'c_3', 'c_4']],
  [['', '', '_2', '__proto__', '__proto__'], ['', '_2', '_2_2', '__proto__', '__proto___2']],
])('%j become %j', (wanted, given) => {
  expect(give(wanted)).toEqual(given);
}); // oxfmt-ignore

test('each name is the first free one, and none is given twice', () => {
  const wanted = fc.array(fc.constantFrom('c', 'c_2', 'c_3', 'c_2_2', 'c_02', 'd'), { maxLength: 30 });
  fc.assert(
    fc.property(wanted, (list) => {
      const taken = new Set<string>();
      for (const [place, given] of give(list).entries()) {
        let expected = list[place] as string;
        for (let n = 2; taken.has(expected); n++) expected = `${list[place]}_${n}`;
        expect(given).toBe(expected);
        taken.add(given);
      }
    }),
  );
});

test('one name many times, and many that look as if they had been made here, are searched for once', () => {
  const many = 20_000;
  const made = Array.from({ length: many }, (_, n) => `c_${n + 2}`);
  const given = give(['c', ...made, ...made.map(() => 'c')]);
  expect(new Set(given).size).toBe(2 * many + 1);
  expect(given.at(-1)).toBe(`c_${2 * many + 1}`);
});
