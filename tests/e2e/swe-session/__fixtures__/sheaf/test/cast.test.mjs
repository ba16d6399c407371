import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '../src/index.mjs';

const castOf = (text) => parse(`${text}\n`, { header: false, cast: true, skipEmpty: false })[0][0];

test('numbers', () => assert.deepEqual(['12', '-1.5', '1e3'].map(castOf), [12, -1.5, 1000]));
test('what leads is not lost', () => assert.deepEqual(['007', '+1', '0x10'].map(castOf), ['007', '+1', '0x10']));
test('booleans and nothing', () => assert.deepEqual(['true', 'false', ''].map(castOf), [true, false, undefined]));
test('dates', () => assert.equal(castOf('2026-01-31').toISOString(), '2026-01-31T00:00:00.000Z'));
test('what is quoted stays text', () => assert.equal(castOf('"12"'), '12'));
test('a function of ones own', () => {
  assert.deepEqual(parse('a\n1\n', { cast: (text, { column }) => column + text }), [{ a: 'a1' }]);
});
