import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { dropChanges } from './split-hunk.js';
import { formatLines, parseEditedLines } from './edit-hunk.js';
import { formatHunk } from './format-patch.js';
import { parsePatch } from './parse-patch.js';
import type { Hunk, PatchLine } from './patch.js';
import { splitHunk } from './split-hunk.js';

const hunkOf = (text: string): Hunk => parsePatch(`--- a/x\n+++ b/x\n${text}`)[0]!.hunks[0]!;
const TWO = '@@ -4,7 +4,8 @@ f()\n a\n-b\n+B\n c\n d\n e\n+E\n f\n-g\n+G\n';

test('a hunk is split in the middle of the context between its changes, and numbered', () => {
  expect(splitHunk(hunkOf(TWO)).map(formatHunk)).toEqual([
    '@@ -4,4 +4,4 @@ f()\n a\n-b\n+B\n c\n d\n',
    '@@ -8,2 +8,3 @@ f()\n e\n+E\n f\n',
    '@@ -10 +11 @@ f()\n-g\n+G\n',
  ]);
});

test('a hunk with one change stays whole', () => {
  const hunk = hunkOf('@@ -1,2 +0,0 @@\n-a\n-b\n');
  expect(splitHunk(hunk)).toEqual([hunk]);
});

test('a part whose side has no lines is numbered by the line before it', () =>
  expect(splitHunk(hunkOf('@@ -0,0 +1,2 @@\n+a\n+b\n')).map(formatHunk)).toEqual(['@@ -0,0 +1,2 @@\n+a\n+b\n']));

test('a change that is not made leaves its old side', () =>
  expect(formatLines(dropChanges(hunkOf(TWO).lines))).toBe(' a\n b\n c\n d\n e\n f\n g\n'));

const line = fc.record({ sign: fc.constantFrom<PatchLine['sign']>(' ', '+', '-'), text: fc.constantFrom('a', 'b', '', '#', '\\') });
const lines = fc.array(line, { minLength: 1, maxLength: 24 });

test(verifies('H1:hunk-split', 'the parts of a hunk are its lines, each with at most one change, and count what they have'), () =>
  fc.assert(
    fc.property(lines, (all) => {
      const side = (other: '+' | '-', of: readonly PatchLine[]): number => of.filter(({ sign }) => sign !== other).length;
      const parts = splitHunk({ oldStart: 5, oldLines: side('+', all), newStart: 9, newLines: side('-', all), section: '', lines: all });
      expect(parts.flatMap((part) => part.lines)).toEqual(all);
      for (const part of parts) {
        expect([part.oldLines, part.newLines]).toEqual([side('+', part.lines), side('-', part.lines)]);
        const signs = part.lines.map(({ sign }) => (sign === ' ' ? ' ' : '!')).join('');
        expect(signs).toMatch(/^ *!* *$/);
      }
    }),
  ),
);

test.each([
  ['as it was', ' a\n-b\n+B\n c\n', ' a\n-b\n+B\n c\n'],
  ['a kept line', ' a\n b\n c\n', ' a\n b\n c\n'],
  ['other lines added', '+0\n a\n-b\n+x\n+y\n c\n', '+0\n a\n-b\n+x\n+y\n c\n'],
  ['comments and blank lines at the end', '# help\n a\n-b\n c\n# more\n\n\n', ' a\n-b\n c\n'],
  ['no newline at the end of the text', ' a\n-b\n c', ' a\n-b\n c\n'],
])('an edit is read: %s', (_name, text, expected) => {
  const edited = parseEditedLines(hunkOf('@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n').lines, text);
  expect(edited.ok && formatLines(edited.lines)).toBe(expected);
});

test.each([
  ['a context line changed', ' A\n-b\n+B\n c\n', /Line 1 .* “a”/],
  ['a removed line is gone', ' a\n+B\n c\n', /Line 2 .* “b”/],
  ['the end is gone', ' a\n-b\n', /Line 3 .* “c”/],
  ['a context line too many', ' a\n-b\n c\n d\n', /“d” is not in the file/],
  ['a line without a sign', ' a\nb\n', /begins with “b”/],
  ['a marker in the middle', ' a\n-b\n+B\n\\ No newline\n c\n', /before the last line/],
  ['something after the last context', ' a\n-b\n c\n+d\n', /“c” must stay the last line/],
  ['the last context line removed', ' a\n-b\n-c\n', /“c” must stay the last line/],
  ['a marker that was not there', ' a\n-b\n c\n+d\n\\ No newline\n', /can’t be added/],
  ['a marker on the old side', ' a\n-b\n c\n\\ No newline\n', /mark/],
  ['a marker alone', '\\ No newline\n', /none before it/],
])('an edit is refused with the reason: %s', (_name, text, fault) => {
  const edited = parseEditedLines(hunkOf('@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n').lines, text);
  expect(edited.ok ? '' : edited.fault).toMatch(fault);
});

test('lines that all end in CRLF are edited without, and keep it', () => {
  const { lines: original } = hunkOf('@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n');
  expect(formatLines(original)).toBe(' a\n-b\n+B\n');
  expect(parseEditedLines(original, ' a\n-b\n+x\n')).toMatchObject({
    ok: true,
    lines: [{ text: 'a\r' }, { text: 'b\r' }, { text: 'x\r' }],
  });
});

test('an editor that strips blanks takes no empty context line away', () => {
  const { lines: original } = hunkOf('@@ -1,4 +1,4 @@\n \n-b\n+B\n \n \n');
  for (const text of ['\n-b\n+B\n\n\n', '\n-b\n+B\n \n\n# c\n', ' \n-b\n+B\n \n \n', '\n-b\n+B\n\n\n\n\n'])
    expect(parseEditedLines(original, text)).toEqual({ ok: true, lines: original });
});

test('at the end of the file the newline that is missing may come or stay away', () => {
  const { lines: original } = hunkOf('@@ -1,2 +1,2 @@\n a\n-b\n+B\n\\ No newline at end of file\n');
  for (const text of [' a\n-b\n+c\n', ' a\n-b\n+c\n\\ No newline at end of file\n']) expect(parseEditedLines(original, text).ok).toBe(true);
  expect(parseEditedLines(original, ' a\n-b\n+B\n\\ x\n+C\n').ok).toBe(false);
});

test(verifies('H1:hunk-edit', 'what is read back keeps the old side, whatever was typed'), () => {
  const typed = fc.array(fc.oneof(fc.constantFrom(' a', '-a', '+a', ' b', '-b', '+b', '', '#', '\\ x'), fc.string()), { maxLength: 12 });
  fc.assert(
    fc.property(lines, typed, (original, rows) => {
      const old = (all: readonly PatchLine[]): unknown => dropChanges(all);
      const same = parseEditedLines(original, formatLines(original));
      expect(same).toEqual({ ok: true, lines: original });
      const edited = parseEditedLines(original, rows.join('\n'));
      if (edited.ok) expect(old(edited.lines)).toEqual(old(original));
    }),
  );
});
