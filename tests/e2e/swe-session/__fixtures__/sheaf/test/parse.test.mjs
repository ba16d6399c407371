import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '../src/index.mjs';

test('objects by the header', () => assert.deepEqual(parse('a,b\n1,2\n'), [{ a: '1', b: '2' }]));
test('arrays without one', () => assert.deepEqual(parse('1,2\n', { header: false }), [['1', '2']]));
test('given names', () => assert.deepEqual(parse('1,2\n', { header: ['x', 'y'] }), [{ x: '1', y: '2' }]));
test('a byte order mark is no part of the first name', () => assert.deepEqual(Object.keys(parse('\uFEFFa\n1')[0]), ['a']));
test('a row with too many fields', () => assert.throws(() => parse('a\n1,2'), { code: 'TOO_MANY_FIELDS', line: 2 }));
test('a row with too few', () => assert.deepEqual(parse('a,b\n1'), [{ a: '1', b: undefined }]));
