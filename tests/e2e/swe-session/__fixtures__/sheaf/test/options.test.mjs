import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from '../src/options.mjs';

test('defaults', () => assert.equal(readOptions().quote, '"'));
test('an unknown option is named', () => assert.throws(() => readOptions({ qoute: "'" }), /there is no option qoute/));
test('separator is the name of what stands between fields', () => {
  assert.equal(readOptions().separator, ',');
  assert.equal(readOptions({ separator: ';' }).separator, ';');
});
test('the old name says what to write', () => {
  assert.throws(() => readOptions({ delim: ';' }), { code: 'UNKNOWN_OPTION', message: 'delim is called separator since 1.5' });
});
test('one character, and no line end', () => {
  for (const quote of ['', 'ab', '\n', 7]) assert.throws(() => readOptions({ quote }), { code: 'INVALID_OPTION' });
});
test('the rest is checked, too', () => {
  for (const option of [{ maxFieldLength: 0 }, { header: 'a' }, { quote: ',' }]) {
    assert.throws(() => readOptions(option), { code: 'INVALID_OPTION' });
  }
});
