import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, stringify } from '../src/index.mjs';

test('objects with a header', () => assert.equal(stringify([{ a: 1 }, { b: 2 }]), 'a,b\n1,\n,2\n'));
test('arrays without one', () => assert.equal(stringify([[1, 'x']]), '1,x\n'));
test('what needs quotes has them', () => {
  assert.equal(stringify([['a,b', 'say "yes"', 'two\nlines', ' blank']]), '"a,b","say ""yes""","two\nlines"," blank"\n');
});
test('another character between fields', () => assert.equal(stringify([['a;b', 'c,d']], { delim: ';' }), '"a;b";c,d\n'));
test('and back', () => {
  const records = [{ a: 'x;"y"\n', b: ' z' }];
  assert.deepEqual(parse(stringify(records, { delim: ';' }), { delim: ';' }), records);
});
