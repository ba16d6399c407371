import { expect, test } from 'vitest';
import { detectLoop, rememberSignature } from './judge-call.js';

/** The places at which somebody is asked. */
const asks = (calls: string): number[] => {
  let recent: readonly string[] = [];
  return [...calls].flatMap((signature, place) => {
    const loop = detectLoop(recent, signature);
    recent = rememberSignature(recent, signature, loop !== undefined);
    return loop === undefined ? [] : [place];
  });
};

test.each([
  ['', []],
  ['aa', []],
  ['aaa', [2]],
  ['aaaaa', [2, 4]], // the asked one is the first of the next three
  ['abab', [3]],
  ['aba', []],
  ['ababab', [3]],
  ['abababa', [3, 6]],
  ['aabb', []],
  ['abcabc', []],
  ['abba', []],
  ['baaa', [3]],
])('in %j a human is asked at %j', (calls, places) => expect(asks(calls)).toEqual(places));
