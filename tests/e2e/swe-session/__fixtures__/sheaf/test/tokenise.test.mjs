import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from '../src/options.mjs';
import { Tokeniser } from '../src/tokenise.mjs';

const rowsOf = (text, options) => {
  const tokeniser = new Tokeniser(readOptions(options));
  return [...tokeniser.write(text), ...tokeniser.end()].map(({ fields }) => fields.map((field) => field.text));
};

test('fields and rows', () => assert.deepEqual(rowsOf('a,b\nc,d'), [['a', 'b'], ['c', 'd']]));
test('every kind of line end', () => assert.deepEqual(rowsOf('a\r\nb\rc\n'), [['a'], ['b'], ['c']]));
test('quotes around separators and line ends', () => assert.deepEqual(rowsOf('"a,b","c\nd"'), [['a,b', 'c\nd']]));
test('a doubled quote is one', () => assert.deepEqual(rowsOf('"a ""b"" c"'), [['a "b" c']]));
test('a quote inside an unquoted field is text', () => assert.deepEqual(rowsOf('a"b,c'), [['a"b', 'c']]));
test('empty lines are left out, unless asked for', () => {
  assert.deepEqual(rowsOf('a\n\nb'), [['a'], ['b']]);
  assert.deepEqual(rowsOf('a\n\nb', { skipEmpty: false }), [['a'], [''], ['b']]);
});
test('trim leaves quoted blanks', () => assert.deepEqual(rowsOf(' a ," b "', { trim: true }).length, 1));
test('errors name the place', () => {
  assert.throws(() => rowsOf('a\n"b"c'), { code: 'UNEXPECTED_TEXT', line: 2, column: 4 });
  assert.throws(() => rowsOf('a,"b'), { code: 'UNCLOSED_QUOTE', line: 1 });
  assert.throws(() => rowsOf('abcd', { maxFieldLength: 3 }), { code: 'FIELD_TOO_LONG' });
});
