import { expect, test } from 'vitest';
import fc from 'fast-check';
import { CallFinder } from './call-finder.js';

const id = fc.constantFrom('a', 'b', undefined);
const wireIndex = fc.constantFrom(0, 1, 2, undefined);

test('what is found is what a search through all calls would find', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ id, wireIndex }), { maxLength: 12 }), (calls) => {
      const finder = new CallFinder<(typeof calls)[number]>();
      for (const [place, call] of calls.entries()) {
        finder.add(call);
        const seen = calls.slice(0, place + 1);
        for (const index of [0, 1, 2]) expect(finder.lastAt(index)).toBe(seen.findLast((one) => one.wireIndex === index));
        for (const name of ['a', 'b', 'c']) {
          const sameId = seen.filter((one) => one.id === name);
          expect(finder.lastWithId(name)).toBe(sameId.at(-1));
          for (const index of [0, 1, 2, undefined]) {
            const may = (one: { wireIndex: number | undefined }) => [index, undefined].includes(one.wireIndex) || index === undefined;
            expect(finder.lastWithIdAt(name, index)).toBe(sameId.findLast(may));
          }
        }
      }
    }),
  );
});

test('an id that comes late is found', () => {
  const call: { id: string | undefined; wireIndex: number } = { id: undefined, wireIndex: 0 };
  const finder = new CallFinder<typeof call>();
  finder.add(call);
  expect(finder.lastWithId('a')).toBeUndefined();
  call.id = 'a';
  finder.addId(call);
  expect([finder.lastWithId('a'), finder.lastWithIdAt('a', 0), finder.lastWithIdAt('a', 1)]).toEqual([call, call, undefined]);
});
