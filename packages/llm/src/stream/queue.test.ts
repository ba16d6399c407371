import { expect, test } from 'vitest';
import fc from 'fast-check';
import { Queue } from './queue.js';

test('what was added first is first, until it is dropped', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat())), (steps) => {
      const queue = new Queue<number>();
      const list: number[] = [];
      for (const step of steps) {
        if (step === null) {
          queue.drop();
          list.shift();
        } else {
          queue.add(step);
          list.push(step);
        }
        expect([queue.first, queue.last, queue.all]).toEqual([list[0], list.at(-1), list]);
      }
    }),
  );
});
