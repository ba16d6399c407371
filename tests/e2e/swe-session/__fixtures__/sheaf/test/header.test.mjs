import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNames } from '../src/header.mjs';

test('none is empty, none comes twice', () => {
  assert.deepEqual(toNames(['a', '', 'a', 'a']), ['a', 'column 2', 'a (2)', 'a (3)']);
});
