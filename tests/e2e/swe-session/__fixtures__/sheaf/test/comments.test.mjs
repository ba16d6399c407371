import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, parseStream, stringify } from '../src/index.mjs';

const TEXT = '# made by hand\nname,note\n#Ada,no\nBob,# yes\n"#Eve","two\n# lines"\n# the "end';
const RECORDS = [
  { name: 'Bob', note: '# yes' },
  { name: '#Eve', note: 'two\n# lines' },
];

test('lines that begin with it are left out', () => assert.deepEqual(parse(TEXT, { comment: '#' }), RECORDS));
test('nothing is a comment without the option', () => assert.equal(parse('a\n#b', {}).length, 1));
test('in a stream, one character at a time', async () => {
  const records = [];
  for await (const record of parseStream([...TEXT], { comment: '#' })) records.push(record);
  assert.deepEqual(records, RECORDS);
});
test('of several characters', () => {
  assert.deepEqual(parse('a\n// no\n/ yes\n//', { comment: '//' }), [{ a: '/ yes' }]);
});
test('of several characters, cut in the middle', async () => {
  const records = [];
  for await (const record of parseStream(['a\n/', '/ no\n/', ' yes\n'], { comment: '//' })) records.push(record);
  assert.deepEqual(records, [{ a: '/ yes' }]);
});
test('lines that are left out count', () => {
  assert.throws(() => parse('# one\na\n# two\n"b"c', { comment: '#' }), { code: 'UNEXPECTED_TEXT', line: 4 });
});
test('one that makes no sense is refused', () => {
  for (const comment of ['', '"', '"x', ',', 7]) assert.throws(() => parse('a', { comment }), { code: 'INVALID_OPTION' });
});
test('stringify quotes what would be taken for one', () => {
  assert.equal(stringify([['#a', '#b']], { comment: '#' }), '"#a",#b\n');
});
