import { expect, test } from 'vitest';
import fc from 'fast-check';
import { childrenOf, editMembers, findJson, RawJson, replaceJson, toJsonText } from './index.js';

const BIG = '{"n": 12345678901234567890 , "10":1,"2" : {"a\\"]}":[1,{"x":"\\\\"}]},"e":1e400}';

test('finds each member with its text as it is', () => {
  expect([...childrenOf(BIG)].map(({ key, start, end }) => [key, BIG.slice(start, end)])).toEqual([
    ['n', '12345678901234567890'],
    ['10', '1'],
    ['2', '{"a\\"]}":[1,{"x":"\\\\"}]}'],
    ['e', '1e400'],
  ]);
});

test('finds values by a pattern, in any JSON and with any blanks', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ input: fc.jsonValue(), other: fc.jsonValue() })), fc.constantFrom(0, 1, 4), (list, blanks) => {
      const text = ` ${JSON.stringify({ list, x: [{ input: 1 }] }, null, blanks)}`;
      const found = [...findJson(text, ['list', '*', 'input'])];
      expect(found.map(({ start, end }) => JSON.parse(text.slice(start, end)) as unknown)).toEqual(
        JSON.parse(JSON.stringify(list.map(({ input }) => input))),
      );
    }),
  );
});

test('changes what it is told to, and no other byte of a value', () => {
  expect(editMembers(BIG, { '10': '"ten"', e: undefined, f: 'true' })).toBe(
    '{"n":12345678901234567890,"10":"ten","2":{"a\\"]}":[1,{"x":"\\\\"}]},"f":true}',
  );
  expect(editMembers(BIG, { gone: undefined })).toBe(BIG);
  expect(editMembers('{"a":1,"a":2,"b":3}', { a: '4' })).toBe('{"a":4,"b":3}');
  const spans = [...findJson(BIG, ['2', '*', '1', 'x'])].map((span) => ({ ...span, text: '0' }));
  expect(replaceJson(BIG, spans)).toBe('{"n": 12345678901234567890 , "10":1,"2" : {"a\\"]}":[1,{"x":0}]},"e":1e400}');
});

test('writes raw text in its place, and else what JSON.stringify writes', () => {
  expect(toJsonText({ a: [new RawJson('1e400'), undefined], b: undefined, c: 'x' })).toBe('{"a":[1e400,null],"c":"x"}');
  fc.assert(fc.property(fc.jsonValue(), (value) => void expect(toJsonText(value)).toBe(JSON.stringify(value))));
});
