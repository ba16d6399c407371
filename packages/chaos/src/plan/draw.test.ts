import { expect, test } from 'vitest';
import { drawFrom } from './draw.js';

const several = (seed: number): readonly number[] => {
  const draw = drawFrom(seed);
  return Array.from({ length: 20 }, () => draw.integer(1, 1000));
};

test('the same seed draws the same, another one something else', () => {
  expect(several(7)).toEqual(several(7));
  expect(several(7)).not.toEqual(several(8));
});

test('a fork draws the same, whatever was drawn before it', () => {
  const one = drawFrom(7);
  one.integer(1, 10);
  expect(one.fork('faults').integer(1, 1e9)).toBe(drawFrom(7).fork('faults').integer(1, 1e9));
});

test('numbers stay in their bounds and reach both ends', () => {
  const draw = drawFrom(1);
  const drawn = new Set(Array.from({ length: 200 }, () => draw.integer(3, 5)));
  expect([...drawn].sort()).toEqual([3, 4, 5]);
});

test('some of a list are different ones, in their order', () => {
  const draw = drawFrom(2);
  for (let round = 0; round < 50; round += 1) {
    const drawn = draw.some([1, 2, 3, 4, 5], 3);
    expect(drawn).toHaveLength(3);
    expect([...new Set(drawn)].sort()).toEqual(drawn);
  }
  expect(draw.some([1], 3)).toEqual([1]);
});
