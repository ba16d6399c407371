import { expect, test } from 'vitest';
import fc from 'fast-check';
import { matchesPattern } from '../servers/server-lists.js';
import { LineSplitter, MAX_MESSAGE_BYTES } from '../transports/line-splitter.js';
import { cleanLine, cleanText } from './clean-text.js';
import { compileSchema } from './json-schema.js';
import { readList } from './read-list.js';

test('a cleaned text has nothing in it that steers a terminal or hides, and no more than was asked for', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, max) => {
      const clean = cleanText(text, max);
      expect(clean.length).toBeLessThanOrEqual(max);
      expect(clean.replace(/[\t\n\u200c\u200d]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    }),
  );
});

test.each([
  ['plain\ntext', 'plain\ntext'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007shown', 'shown'],
  ['a\r\nb\rc', 'a\nb\nc'],
  ['👩‍💻', '👩‍💻'],
  ['tag\u{e0041}\u202eged', 'tagged'],
])('%j is cleaned to %j', (text, clean) => expect(cleanText(text, 100)).toBe(clean));

test('a line is one line, and what is cut ends in an ellipsis', () => {
  expect(cleanLine(' a\n\tb ', 10)).toBe('a b');
  expect(cleanText('abcdef', 4)).toBe('abc…');
  expect(cleanText('ab👩', 4)).toBe('ab👩');
  expect(cleanText('ab👩cd', 4)).toBe('ab…');
});

test('a pattern matches as the same regular expression does', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 });
  fc.assert(
    fc.property(pattern, part, (glob, name) => {
      expect(matchesPattern(glob, name)).toBe(new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(name));
    }),
    { numRuns: 2_000 },
  );
});

test('lines come out as they went in, however they are cut, and one that is too long ends it', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom('x', 'ä', ' ') })), fc.integer({ min: 1, max: 7 }), (lines, size) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const splitter = new LineSplitter();
      const found: string[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        found.push(...splitter.push(bytes.subarray(at, at + size))!.map((line) => line.toString()));
      }
      expect(found).toEqual(lines);
    }),
  );
  expect(new LineSplitter().push(Buffer.alloc(MAX_MESSAGE_BYTES + 1, 'x'))).toBeUndefined();
});

test('a list is read to its end or to a bound', async () => {
  const page = (cursor: string | undefined) => {
    const at = Number(cursor ?? 0);
    return Promise.resolve({ items: [at, at + 1], nextCursor: at < 6 ? String(at + 2) : undefined });
  };
  expect(await readList({ page, field: 'items', max: 100, what: 'numbers' })).toEqual({ items: [0, 1, 2, 3, 4, 5, 6, 7], notes: [] });
  const cut = await readList({ page, field: 'items', max: 3, what: 'numbers', wanted: (item) => item !== 1 });
  expect(cut).toEqual({ items: [0, 2, 3], notes: ['It offers more than 3 numbers; the first 3 are used.'] });
});

test('a schema of a server is judged in linear time, and by itself', () => {
  const evil = compileSchema({ type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } }, $id: 'https://x/y' });
  const begun = Date.now();
  expect(evil({ a: `${'a'.repeat(5_000)}!` })).toBe(false);
  expect(Date.now() - begun).toBeLessThan(1_000);
  expect(compileSchema({ type: 'number', $id: 'https://x/y' })(1)).toBe(true);
});
