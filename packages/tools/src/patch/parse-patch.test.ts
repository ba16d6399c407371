import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { formatPatch } from './format-patch.js';
import { listChunks } from './format-patch.js';
import { parsePatch } from './parse-patch.js';
import { pathsOfPatch, type FilePatch, type Hunk } from './patch.js';

const HUNK = '@@ -1,2 +1,2 @@ function f() {\n same\n-old\n+new\n';
const summary = (text: string): unknown[] =>
  parsePatch(text).map(({ kind, oldPath, newPath, oldMode, newMode, hunks }) => [kind, oldPath, newPath, oldMode, newMode, hunks.length]);

describe('names', () => {
  test.each([
    ["git's own", 'diff --git a/x.js b/x.js\nindex 1..2 100644\n--- a/x.js\n+++ b/x.js\n', 'x.js'],
    ['without prefixes', 'diff --git x.js x.js\n--- x.js\n+++ x.js\n', 'x.js'],
    ['without prefixes, in a directory called a', 'diff --git a/x.js a/x.js\n--- a/x.js\n+++ a/x.js\n', 'a/x.js'],
    ['mnemonic prefixes', 'diff --git i/x.js w/x.js\n--- i/x.js\n+++ w/x.js\n', 'x.js'],
    ['bare lines', '--- a/src/x.js\n+++ b/src/x.js\n', 'src/x.js'],
    ['bare lines without prefixes', '--- src/x.js\n+++ src/x.js\n', 'src/x.js'],
    ['with times', '--- a/x.js\t2024-01-01 00:00:00\n+++ b/x.js\t2024-01-02 00:00:00\n', 'x.js'],
    ['with blanks', 'diff --git a/my file.js b/my file.js\n--- a/my file.js\t\n+++ b/my file.js\t\n', 'my file.js'],
    ['quoted', 'diff --git "a/\\303\\244\\t.js" "b/\\303\\244\\t.js"\n--- "a/\\303\\244\\t.js"\n+++ "b/\\303\\244\\t.js"\n', 'ä\t.js'],
    ['with CRLF in the headers', 'diff --git a/x.js b/x.js\r\n--- a/x.js\r\n+++ b/x.js\r\n', 'x.js'],
  ])('%s', (_name, header, path) => expect(summary(header + HUNK)).toEqual([['modify', path, path, undefined, undefined, 1]]));
});

test('creations, deletions, renames, copies and modes are told apart', () => {
  const text =
    'Some words that a model put before it.\n\n' +
    'diff --git a/new.sh b/new.sh\nnew file mode 100755\nindex 0..1\n--- /dev/null\n+++ b/new.sh\n@@ -0,0 +1 @@\n+a\n' +
    'diff --git a/empty b/empty\nnew file mode 100644\nindex 0..0\n' +
    'diff --git a/gone b/gone\ndeleted file mode 100644\nindex 1..0\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n' +
    'diff --git a/from b/to/there\nsimilarity index 100%\nrename from from\nrename to to/there\n' +
    'diff --git a/one b/two\nsimilarity index 90%\ncopy from one\ncopy to two\nindex 1..2 100644\n--- a/one\n+++ b/two\n' +
    HUNK +
    '--- /dev/null\n+++ b/bare\n@@ -0,0 +1 @@\n+a\n' +
    '-- \n2.39.5\n\n' +
    'diff --git a/run b/run\nold mode 100644\nnew mode 100755\n';
  expect(summary(text)).toEqual([
    ['create', undefined, 'new.sh', undefined, '100755', 1],
    ['create', undefined, 'empty', undefined, '100644', 0],
    ['delete', 'gone', undefined, '100644', undefined, 1],
    ['rename', 'from', 'to/there', undefined, undefined, 0],
    ['copy', 'one', 'two', undefined, undefined, 1],
    ['create', undefined, 'bare', undefined, undefined, 1],
    ['modify', 'run', 'run', '100644', '100755', 0],
  ]);
  expect(pathsOfPatch(parsePatch(text))).toEqual(['new.sh', 'empty', 'gone', 'from', 'to/there', 'one', 'two', 'bare', 'run']);
  expect(listChunks(parsePatch(text)).map(({ number, file, hunk }) => [number, file.newPath ?? file.oldPath, hunk !== undefined])).toEqual([
    [1, 'new.sh', true],
    [2, 'empty', false],
    [3, 'gone', true],
    [4, 'to/there', false],
    [5, 'two', true],
    [6, 'bare', true],
    [7, 'run', false],
  ]);
});

test('lines keep their carriage returns, their blanks and their missing newline', () => {
  const [file] = parsePatch('--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n one\r\n\n-  two\n\\ No newline at end of file\n');
  expect(file!.hunks[0]!.lines).toEqual([
    { sign: ' ', text: 'one\r' },
    { sign: ' ', text: '' },
    { sign: '-', text: '  two', noNewline: true },
  ]);
});

describe('what is not understood is an error that names the line', () => {
  const header = '--- a/x\n+++ b/x\n';
  test.each([
    ['nothing', '', 'line 1 of the diff: there is no file in it'],
    ['words', 'please change x', 'line 1 of the diff: there is no file in it'],
    ['a hunk without a file', HUNK, 'line 1 of the diff: this hunk belongs to no file'],
    [
      'a hunk that ends early',
      `${header}@@ -1,3 +1,2 @@\n a\n`,
      'line 5 of the diff: the hunk header in line 3 promises 3 old and 2 new lines',
    ],
    [
      'a hunk that goes on',
      `${header}@@ -1 +1 @@\n-a\n+b\n+c\n`,
      'line 6 of the diff: there are more lines than the hunk header in line 3 counts',
    ],
    ['a broken hunk header', `${header}@@ -1 @@\n a\n`, 'line 3 of the diff: a hunk header looks like'],
    ['a marker too early', `${header}@@ -1,2 +1 @@\n-a\n\\ No newline at end of file\n b\n`, 'stands before the last line'],
    ['a marker after nothing', `${header}@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n`, 'line 4 of the diff'],
    ['two names', `--- a/x\n+++ b/y\n${HUNK}`, 'do not fit a modify'],
    ['two pairs of names', `diff --git a/x b/x\n--- a/.env\n+++ b/.env\n${HUNK}`, 'name different files'],
    ['a rename of other files', `diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/z\n${HUNK}`, 'other files than the rename'],
    ['half a rename', 'diff --git a/x b/y\nrename from x\n', 'a rename needs'],
    ['a creation over a file', `diff --git a/x b/x\nnew file mode 100644\n--- a/x\n+++ b/x\n${HUNK}`, 'do not fit a create'],
    ['a patch without effect', 'diff --git a/x b/x\nindex 1..1 100644\n', 'changes nothing'],
    ['a binary file', 'diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n', 'line 3 of the diff: binary files'],
    ['a binary patch', 'diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 0\n', 'binary files'],
    ['a new link', `diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+/etc\n`, 'symbolic links'],
    ['a changed link', `diff --git a/x b/x\nindex 1..2 120000\n--- a/x\n+++ b/x\n${HUNK}`, 'symbolic links'],
    ['a submodule', 'diff --git a/x b/x\nnew file mode 160000\n', 'submodules'],
    ['a merge', 'diff --cc x\nindex 1,2..3\n', 'diffs of merges'],
    ['one name only', `diff --git a/x b/y\n--- a/x\n${HUNK}`, 'name the file, both'],
  ])('%s', (_name, text, message) => expect(() => parsePatch(text)).toThrow(message));
});

describe(verifies('W2:patch-whole', 'no part of a patch is passed over: what is not applied is an error that names its line'), () => {
  const file = '--- a/x\n+++ b/x\n';
  const body = ' a\n-b\n+c\n';
  const first = `${file}${HUNK}`;
  const other = `--- a/y\n+++ b/y\n${HUNK}`;
  test.each([
    ['a bare hunk header', `${first}@@\n${body}`, 'line 7 of the diff: a hunk header looks like "@@ -1,5 +1,6 @@"'],
    ['a hunk header with words only', `${first}@@ function f() @@\n${body}${other}`, 'line 7'],
    ['a hunk header of a merge', `${first}@@@ -1,2 -1,2 +1,2 @@@\n${body}`, 'line 7'],
    ['a bare hunk header in the first place', `${other}${file}@@\n${body}`, 'line 9'],
    ['a bare hunk header after words', `${first}and then\n@@\n${body}`, 'line 8 of the diff: this hunk belongs to no file'],
    ['lines of a hunk whose header is gone', `${first}\n-b\n+c\n`, 'line 8 of the diff: this line belongs to no hunk'],
    ['context of a hunk whose header is gone', `${first}garbage\n a\n`, 'line 8'],
    ['a removed line that looks like a signature', `${first}--\n`, 'line 7 of the diff: there are more lines'],
    ['a removed line that looks like a signature, with more', `${first}-- \n+x\n`, 'line 7 of the diff: there are more lines'],
    ['a second marker', `${first.trimEnd()}\n\\ No newline at end of file\n\\ No newline at end of file\n`, 'line 8'],
    ['a file whose hunks are gone', `${file}\n${other}`, 'line 3 of the diff: the "---" and "+++" lines are followed by no "@@" line'],
    ['a new file that was cut off', `${first}diff --git a/z b/z\nnew file mode 100644\nindex 0000000..1234567\n`, '"index"'],
    ['a new file that was cut off later', 'diff --git a/z b/z\nnew file mode 100644\n--- /dev/null\n+++ b/z\n', 'line 5'],
    ['a rename that was cut off', 'diff --git a/x b/z\nsimilarity index 90%\nrename from x\nrename to z\n', 'only 90%'],
    [
      'a new mode alone',
      'diff --git a/x b/x\nnew mode 100755\nind',
      'the patch of x has a "new mode", and neither an "old mode" nor a hunk',
    ],
    ['a mode without its file', `${first}new mode 100755\n`, 'line 7 of the diff: this line belongs to no file'],
    ['a rename without its file', `similarity index 100%\nrename from a\nrename to b\n${other}`, 'line 2'],
    ['a binary file of another program', `${first}Binary files a/z and b/z differ\n`, 'line 7 of the diff: binary files'],
    ['a context diff', `${first}*** a/z\n--- b/z\n***************\n*** 1 ****\n! a\n`, 'this line belongs to no hunk'],
    ['a context diff in front', `*** a/z\n--- b/z\n***************\n*** 1 ****\n! a\n${other}`, 'context diff'],
    ['a patch of another format', `*** Begin Patch\n*** Update File: z\n@@\n-a\n+b\n*** End Patch\n${other}`, 'another format'],
    ['a diff without context', `2c2\n< a\n---\n> b\n${other}`, 'has no context'],
    ['a hunk without a change', `${file}@@ -1 +1 @@\n a\n`, 'line 3 of the diff: the hunk changes nothing'],
  ])('%s', (_name, text, message) => expect(() => parsePatch(text)).toThrow(message));

  test.each([
    [
      'letters of a series',
      `From 0123456789 Mon Sep 17\nSubject: x\n\n- one\n+ two\n---\n x | 2 +-\n\n${first}-- \n2.39.5\n\n - dots\n\n${other}-- \n2.39.5\n`,
    ],
    ['letters whose blanks were stripped', `${first}--\n2.39.5\n\nFrom 89abcdef01 Mon\n - x\n${other}`],
    ['commits of a log', `commit 0123456789\n\n    - why\n\n${first}\ncommit 89abcdef01\n\n    - why\n\n${other}`],
    ['commands of diff', `diff -ru a/x b/x\n${first}Only in b: z\ndiff -ru a/y b/y\n${other}`],
    ['words of a model', `Here it is:\n\n- x\n\n\`\`\`diff\n${first}\`\`\`\nThe second file:\n\n${other}\`\`\`\n`],
  ])('%s are words', (_name, text) => expect(summary(text).map((file) => (file as unknown[])[2])).toEqual(['x', 'y']));
});

test('what is formatted is read back the same', () => {
  const segment = fc.string({ unit: fc.constantFrom('a', 'b', 'ä', ' ', '"', '\\', '\t', '.', '-'), minLength: 1, maxLength: 6 });
  const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => `x${segments.join('/')}`);
  const text = fc.string({ unit: fc.constantFrom('a', '+', '-', ' ', '@', '\\', '\r', 'é'), maxLength: 8 });
  const hunk = fc
    .array(fc.record({ sign: fc.constantFrom(' ', '+', '-'), text }), { minLength: 1, maxLength: 8 })
    .filter((lines) => lines.some(({ sign }) => sign !== ' '))
    .map((lines): Hunk => {
      const [old, now] = [lines.filter(({ sign }) => sign !== '+').length, lines.filter(({ sign }) => sign !== '-').length];
      return { oldStart: 3, oldLines: old, newStart: 4, newLines: now, section: ' f', lines: lines };
    });
  const file = fc
    .tuple(path, path, fc.array(hunk, { minLength: 1, maxLength: 3 }), fc.constantFrom('modify', 'create', 'delete', 'rename'))
    .map(([oldPath, other, hunks, kind]): FilePatch => {
      if (kind === 'create') return { kind, newPath: oldPath, newMode: '100755', hunks };
      if (kind === 'delete') return { kind, oldPath, oldMode: '100644', hunks };
      if (kind === 'rename') return { kind, oldPath, newPath: other, hunks };
      return { kind: 'modify', oldPath, newPath: oldPath, hunks };
    });
  fc.assert(
    fc.property(fc.array(file, { minLength: 1, maxLength: 3 }), (files) => {
      expect(parsePatch(formatPatch(files))).toEqual(files);
    }),
    { numRuns: 300 },
  );
});

test('any text is read or refused, and never anything else', () => {
  const line = fc.constantFrom(
    'diff --git a/x b/x',
    '--- a/x',
    '+++ b/x',
    '@@ -1 +1 @@',
    '@@ -0,0 +1,2 @@',
    '+a',
    '-a',
    ' a',
    '',
    '\\ No',
    'rename from x',
    'rename to y',
    'new file mode 100644',
    '--- /dev/null',
    '-- ',
    '"',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      try {
        expect(parsePatch(lines.join('\n')).length).toBeGreaterThan(0);
      } catch (error) {
        expect((error as Error).name).toBe('PatchError');
      }
    }),
    { numRuns: 2000 },
  );
});
