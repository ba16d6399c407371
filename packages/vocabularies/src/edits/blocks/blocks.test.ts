import { expect, test } from 'vitest';
import fc from 'fast-check';
import { applyBlocks } from './apply-blocks.js';
import { type Block, parseBlocks } from './parse-blocks.js';

const write = ({ search, replace }: Block, signs = 7): string =>
  [`${'-'.repeat(signs)} SEARCH`, ...search, '='.repeat(signs), ...replace, `${'+'.repeat(signs)} REPLACE`].join('\n');
const apply = (content: string, ...diffs: string[]): unknown => {
  const parsed = parseBlocks(diffs);
  return parsed.ok ? applyBlocks(content, parsed.blocks) : parsed.message;
};
const edit = (content: string, search: string, replace: string): unknown =>
  apply(content, write({ search: search === '' ? [] : search.split('\n'), replace: replace === '' ? [] : replace.split('\n') }));

test.each<[string, readonly string[]]>([
  ['three signs and the other style', ['<<< SEARCH\na\n===\nb\n>>> REPLACE']],
  ['text around it', ['Here it is:\n```\n------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n```\nDone.']],
  ['marks of different lengths', ['----- SEARCH\na\n=========\nb\n++++ REPLACE']],
  ['blanks behind marks', ['------- SEARCH  \na\n======= \nb\n+++++++ REPLACE\r']],
])('a block is read: %s', (_what, diffs) => expect(parseBlocks(diffs)).toEqual({ ok: true, blocks: [{ search: ['a'], replace: ['b'] }] }));

test('nothing inside a block is trimmed; several blocks in one text are several', () => {
  const text = '------- SEARCH\n\n  a \n=======\n+++++++ REPLACE\nand\n------- SEARCH\n=======\n\n+++++++ REPLACE';
  expect(parseBlocks([text])).toEqual({
    ok: true,
    blocks: [
      { search: ['', '  a '], replace: [] },
      { search: [], replace: [''] },
    ],
  });
});

test.each([
  ['------- SEARCH\na\n=======\nb'],
  ['------- SEARCH\na\n+++++++ REPLACE'],
  ['no block at all'],
  [''],
  ['a\n=======\nb\n+++++++ REPLACE'],
  ['------- SEARCH\na\n=======\nb\n------- SEARCH\nc\n=======\nd\n+++++++ REPLACE'],
  ['------- SEARCH\na\n=======\nb\n----- SEARCH\nc\n=====\nd\n+++++ REPLACE'],
])('%j is incomplete', (text) => {
  expect(parseBlocks([text])).toEqual({ ok: false, message: 'Error: diff 1 has no complete SEARCH/REPLACE block' });
  expect(parseBlocks([write({ search: ['a'], replace: ['b'] }), text])).toMatchObject({ message: expect.stringContaining('diff 2') });
});

test('a line of the content that looks like a mark needs marks of another length', () => {
  const content = ['ours', '=======', 'theirs'];
  expect(parseBlocks([write({ search: content, replace: ['both'] })])).toMatchObject({
    ok: false,
    message: expect.stringMatching(
      /^Error: diff 1 has a block with 2 dividers, 2 as long as its SEARCH mark; write all three marks with more/,
    ),
  });
  expect(parseBlocks([write({ search: content, replace: ['both'] }, 9)])).toEqual({
    ok: true,
    blocks: [{ search: content, replace: ['both'] }],
  });
  expect(parseBlocks([write({ search: ['a', '+++++++ REPLACE'], replace: ['both'] })])).toMatchObject({ ok: false });
});

test.each<[string, string, string, unknown]>([
  ['a\nb\nc\n', 'b', 'x\ny', 'a\nx\ny\nc\n'],
  ['a\nb\nc', 'c', 'x\ny', 'a\nb\nx\ny'],
  ['a\nb\nc', 'b', '', 'a\nc'],
  ['a\nb', 'b', '', 'a\n'],
  ['a\r\nb\r\nc', 'a\nb', 'x\ny', 'x\r\ny\r\nc'],
  ['a\nb\r\nc\r\n', 'a', 'x\ny', 'x\ny\nb\r\nc\r\n'],
  ['a\nb\r\nc\r\n', 'b', 'x\ny', 'a\nx\r\ny\r\nc\r\n'],
  ['\uFEFFa\nb', 'a', 'x', '\uFEFFx\nb'],
  ['\uFEFFa\r\n', '', 'x', '\uFEFFx\r\na\r\n'],
  ['', '', 'x', 'x\n'],
  ['a', '', 'x', 'x\na'],
  ['a\r\nb\r\n', 'a\r', 'x\r\ny', 'x\r\ny\nb\r\n'],
  ['a $& $1', 'a $& $1', '$& $1 $$ \\n', '$& $1 $$ \\n'],
  ['a\rb\n', 'a\rb', 'c', 'c\n'],
])('%j: %j becomes %j', (content, search, replace, after) =>
  expect(edit(content, search, replace)).toMatchObject({ ok: true, content: after }),
);

test.each<[string, string, string, object]>([
  ['a\nb\na\n', 'a', 'x', { kind: 'many', lines: [1, 3] }],
  ['a\na\na', 'a\na', 'x', { kind: 'many', lines: [1, 2] }],
  ['a\r\na\n', 'a', 'x', { kind: 'many', lines: [1, 2] }],
  ['abc\n', 'b', 'x', { kind: 'missing', content: 'abc\n', needle: 'b' }],
  ['e\\u0301', '\\u00e9', 'x', { kind: 'missing' }],
  ['a', 'a', 'a', { kind: 'same' }],
  ['a', '', '', { kind: 'same' }],
])('%j: %j is refused', (content, search, replace, fault) =>
  expect(edit(content, search, replace)).toMatchObject({ ok: false, block: 1, fault }),
);

test('blocks may differ from the file in trailing blanks and indentation, which is told', () => {
  expect(edit('f:\n    a \n    b\n', 'a\nb', 'x\n  y')).toEqual({
    ok: true,
    content: 'f:\n    x\n      y\n',
    tolerated: [{ block: 1, lines: [2, 3] }],
  });
});

test('blocks apply in order, all or none', () => {
  const blocks = [
    { search: ['a'], replace: [] },
    { search: ['c'], replace: ['c', 'a'] },
  ].map((block) => write(block));
  expect(apply('a\nb\nc\n', ...blocks)).toMatchObject({ ok: true, content: 'b\nc\na\n' });
  expect(apply('a\nb\nc\n', ...blocks, blocks[1]!, write({ search: ['b'], replace: ['x'] }))).toMatchObject({
    ok: true,
    content: 'x\nc\na\na\n',
  });
  expect(apply('a\nb\nc\n', ...blocks, blocks[0]!, write({ search: ['z'], replace: ['x'] }))).toMatchObject({ ok: false, block: 4 });
});

const line = fc.constantFrom('', ' ', 'a', 'b', '  a', '=======', '=========', '------- SEARCH', '+++++++ REPLACE', '$&', '\uFEFFx');
const lines = fc.array(line, { maxLength: 12 });

test('a generated edit lands exactly where it was cut out, or is refused', () => {
  fc.assert(
    fc.property(lines, lines, lines, lines, fc.constantFrom('\n', '\r\n'), fc.boolean(), (head, cut, tail, put, end, hasEnd) => {
      fc.pre(cut.length > 0 && !(head[0] ?? cut[0]!).startsWith('\uFEFF'));
      fc.pre(hasEnd || head.length + cut.length + tail.length > 1);
      fc.pre(hasEnd || ((tail.at(-1) ?? cut.at(-1)) !== '' && (tail.at(-1) ?? put.at(-1)) !== ''));
      const applied = apply(textOf([...head, ...cut, ...tail]), write({ search: cut, replace: put }, 9));
      if (typeof applied === 'string') return void expect([...cut, ...put]).toContain('=========');
      if (!(applied as { ok: boolean }).ok) return undefined;
      // Deleting the last line leaves the end of the line before it.
      const deleted = put.length === 0 && tail.length === 0;
      const after = [...head, ...put, ...tail];
      expect(applied).toMatchObject({ ok: true, content: deleted ? after.map((text) => text + end).join('') : textOf(after) });
      function textOf(all: readonly string[]): string {
        return all.map((text, place) => (place < all.length - 1 || hasEnd ? text + end : text)).join('');
      }
    }),
    { numRuns: 3_000 },
  );
});
