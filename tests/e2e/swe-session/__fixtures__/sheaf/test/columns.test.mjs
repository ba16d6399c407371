import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pick, rename, summarise } from '../src/index.mjs';

const RECORDS = [{ a: 1, b: 'x' }, { a: 3, b: 'x' }];

test('some columns', () => assert.deepEqual(pick(RECORDS, ['b', 'c']), [{ b: 'x', c: undefined }, { b: 'x', c: undefined }]));
test('other names', () => assert.deepEqual(rename(RECORDS, { a: 'n' })[0], { n: 1, b: 'x' }));
test('what is in them', () => {
  assert.deepEqual(summarise(RECORDS).a, { values: 2, different: 2, smallest: 1, largest: 3, frequent: [{ value: '1', count: 1 }, { value: '3', count: 1 }] });
  assert.deepEqual(summarise(RECORDS).b, { values: 2, different: 1, frequent: [{ value: 'x', count: 2 }] });
});
