import { expect, test } from 'vitest';
import fc from 'fast-check';
import { findRuns } from './find-runs.js';
import { linesOf, locate } from './locate.js';
import { nearHint } from './near.js';
import { insertAtStart, replaceText } from './replace.js';

const replace = (content: string, old_string: string, new_string: string, replace_all = false): unknown => {
  const done = replaceText(content, { old_string, new_string, replace_all }, { tolerant: true });
  return done.ok ? done.content : done.fault;
};

test.each<[string, string, string, string]>([
  ['a\r\nb\r\nc', 'a\nb', 'x\ny', 'x\r\ny\r\nc'],
  ['a\r\nb\nc\r\nd', 'a\nb', 'x\ny\nz', 'x\r\ny\r\nz\nc\r\nd'],
  ['a\nb\r\nc\r\nd', 'a\nb', 'x\ny', 'x\ny\r\nc\r\nd'],
  ['a\r\nb', 'a', 'x\ny', 'x\r\ny\r\nb'],
  ['a\r\nb', '\nb', 'x', 'ax'],
  ['a\r\nb\r\n', 'b\n', '', 'a\r\n'],
  ['\uFEFFa\nb', 'a', 'x', '\uFEFFx\nb'],
  ['x = 1', '1', '$& $1 $$ \\n', 'x = $& $1 $$ \\n'],
  ['a\nb\nc', 'b', '', 'a\n\nc'],
])('%j: %j → %j is %j', (content, needle, text, after) => expect(replace(content, needle, text)).toBe(after));

test.each<[string, string, string, object]>([
  ['aaa', 'aa', 'X', { kind: 'many', lines: [1, 1] }],
  ['x\nnumber\nnumber', 'number', 'y', { kind: 'many', lines: [2, 3] }],
  ['e\u0301', '\u00e9', 'x', { kind: 'missing' }],
  ['a', 'a', 'a', { kind: 'same' }],
  ['a', '', 'a', { kind: 'empty' }],
])('%j: %j is refused', (content, needle, text, fault) => expect(replace(content, needle, text)).toMatchObject(fault));

test('line ends of the file may stand for `\\n`, not the other way round', () => {
  expect(locate('a\nb', 'a\r\nb')).toEqual([]);
  expect(locate('a\r\nb', '\nb')).toEqual([{ start: 1, end: 4 }]);
});

test('all places are replaced once, from left to right', () => {
  expect(replace('aaa', 'aa', 'X', true)).toBe('Xa');
  expect(replace('aa', 'a', 'aa', true)).toBe('aaaa');
  expect(insertAtStart('\uFEFFa\r\n', 'x\n')).toMatchObject({ content: '\uFEFFx\r\na\r\n' });
});

test.each<[string, string, string, string | object]>([
  ['f:\n    a \n    b\n', 'a\nb', 'x\n  y\n', 'f:\n    x\n      y\n\n'],
  ['\tif\n\t\ta\n', '  if\n    a', '  if\n      b', '\tif\n\t\t\tb\n'],
  ['    if\n        a\r\n', '\tif\n\t\ta\n', '\tb\n', '    b\n'],
  ['a\nb', '    a\n    b', '    c\n      d', 'c\n  d'],
  ['  a\n    b', 'a\nb', 'x', { kind: 'missing' }],
  ['  a\n  b\n\ta\n\tb', 'a\nb', 'x', { kind: 'missing' }],
  ['  a\n    a', '      a', 'x', { kind: 'missing' }],
  ['a\nb', '    a\n    b', '  c', { kind: 'missing' }],
  ['  \n', '    ', 'x', { kind: 'missing' }],
])('whole lines fit apart from one change of indentation: %j, %j, %j', (content, needle, text, after) => {
  if (typeof after === 'string') expect(replace(content, needle, text)).toBe(after);
  else expect(replace(content, needle, text)).toMatchObject(after);
});

test('what was tolerated is told, and never with replace_all', () => {
  expect(replaceText('f\n  a\n', { old_string: '    a', new_string: '    b' }, { tolerant: true })).toMatchObject({ tolerated: [2, 2] });
  expect(replaceText('f\n  a\n', { old_string: '    a', new_string: 'b' })).toMatchObject({ ok: false });
  expect(replace('f\n  a\n', '    a', 'b', true)).toMatchObject({ kind: 'missing' });
});

const source = 'export const PORT = 8080;\nexport function add(a: number, b: number) {\n  return a + b;\n}\n';

test.each([
  ['3\t  return a + b;', 'It has line-number prefixes; give the text without them.'],
  ['3: x\n4: y', 'It has line-number prefixes; give the text without them.'],
  ['return a+b;', 'Line 3 is equal to it apart from blanks.'],
  ['{\n    return a + b;\n}', 'Lines 2-4 are equal to it apart from blanks.'],
  ['RETURN a', 'Line 3 is equal to it apart from case.'],
  ['8080;\\nexport', 'Lines 1-2 are equal to it once \\n, \\t and \\" are unescaped.'],
  ['a - b', 'Most similar line 3:   return a + b;'],
  ['§§§§', ''],
])('near %j: %s', (needle, hint) => expect(nearHint(source, needle)).toBe(hint));

test('near: quotes and composed letters', () => {
  expect(nearHint('say “hi”', 'say "hi"')).toBe('Line 1 is equal to it apart from Unicode form or quote style.');
  expect(nearHint('x\ncafe\u0301', 'caf\u00e9')).toBe('Line 2 is equal to it apart from Unicode form or quote style.');
});

test('a text that was cut out of a file is found where it was', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', ' '), maxLength: 40 });
  fc.assert(
    fc.property(
      text,
      text.filter((cut) => cut !== ''),
      text,
      (head, cut, tail) => {
        const content = head + cut + tail;
        expect(locate(content, cut)).toContainEqual({ start: head.length, end: head.length + cut.length });
        const plain = cut.replaceAll('\r\n', '\n');
        for (const { start, end } of locate(content, plain)) expect(content.slice(start, end).replaceAll('\r\n', '\n')).toBe(plain);
        expect(locate(content, plain).length).toBeGreaterThan(cut.endsWith('\r') || tail.startsWith('\n') ? -1 : 0);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('runs are found in linear time, as a plain search finds them', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b')), fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 4 }), (all, run) => {
      const plain = all.flatMap((_line, at) => (run.every((item, place) => all[at + place] === item) ? [at] : []));
      expect(findRuns(all, run)).toEqual(plain);
      expect(findRuns(all.join(''), run.join(''))).toEqual(plain);
    }),
  );
  const file = 'a'.repeat(1_000_000);
  expect(replace(file, `${'a'.repeat(500_000)}b`, 'x')).toMatchObject({ kind: 'missing' });
  expect(linesOf('a\n'.repeat(100_000), locate('a\n'.repeat(100_000), 'a'))).toHaveLength(100_000);
});
