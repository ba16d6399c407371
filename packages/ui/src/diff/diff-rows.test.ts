import { expect, test } from 'vitest';
import fc from 'fast-check';
import { readDiffText } from '@codelab/tools/patch';
import { rowsOf, spokenLine, type DiffLayout, type DiffRow } from './diff-rows.js';
import { overlay, piecesOf } from './line-pieces.js';

const layout = (mode: DiffLayout['mode'], opened: readonly string[] = []): DiffLayout => ({
  mode,
  opened: new Set(opened),
  closed: new Set(),
});
const rows = (text: string, how = layout('unified')): readonly DiffRow[] => rowsOf(readDiffText(text), how);
const context = (from: number, count: number): string => Array.from({ length: count }, (_, index) => ` line ${from + index}\n`).join('');

const LONG = `--- a/x.ts\n+++ b/x.ts\n@@ -1,31 +1,31 @@\n${context(1, 10)}-old\n+new\n${context(12, 20)}`;

test('unchanged lines far from a change are folded, and open again', () => {
  const folded = rows(LONG);
  expect(folded.map(({ kind }) => kind)).toEqual(['file', 'fold', ...Array<string>(3 + 2 + 3).fill('line'), 'fold']);
  const folds = folded.flatMap((row) => (row.kind === 'fold' ? [[row.fold, row.lines]] : []));
  expect(folds.map(([, count]) => count)).toEqual([7, 17]);
  const opened = rows(LONG, layout('unified', [folds[0]![0] as string]));
  expect(opened.filter(({ kind }) => kind === 'fold')).toHaveLength(1);
});

test('side by side a removed line stands beside the added one that takes its place', () => {
  const text = '--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n a\n-b\n-c\n+B\n+C\n+D\n';
  expect(rows(text, layout('split')).flatMap((row) => (row.kind === 'pair' ? [[row.left, row.right]] : []))).toEqual([
    [0, 0],
    [1, 3],
    [2, 4],
    [undefined, 5],
  ]);
});

test.each([
  ['diff --git a/x b/y\nrename from x\nrename to y\n', 'renamed', 'No line of the file changes.'],
  ['diff --git a/x b/x\nold mode 100644\nnew mode 100755\n', 'can be executed', 'No line of the file changes.'],
  ['diff --git a/x b/x\nnew file mode 100644\n', 'new file', 'The file is empty.'],
  ['diff --git a/x b/x\nBinary files a/x and b/x differ\n', 'not text', 'The file isn’t text, so its change can’t be shown.'],
])('what happens beside lines is said in words: %j', (text, word, note) => {
  const [file, said] = rows(text);
  expect(file).toMatchObject({ kind: 'file', title: { words: [word] } });
  expect(said).toMatchObject({ kind: 'note', text: note });
});

test('a line is spoken with its number and what becomes of it', () => {
  expect(spokenLine({ kind: 'removed', text: 'a', old: 12 })).toBe('line 12 removed');
  expect(spokenLine({ kind: 'added', text: 'a', now: 3, noNewline: true })).toBe('line 3 added, without a newline at the end');
});

test('the words that changed are marked inside of the colours', () => {
  const [section] = readDiffText('--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-const a = "one";\n+const a = "two";\n');
  const hunk = section!.kind === 'file' ? section!.file.hunks[0]! : undefined!;
  expect(piecesOf(hunk, 1, 'x.ts').flatMap(({ text, changed }) => (changed ? [text] : []))).toEqual(['two']);
  expect(piecesOf(hunk, 1, 'x.ts')[0]).toEqual({ text: 'const', kind: 'keyword', changed: false });
});

test('pieces keep the text, however it is cut', () => {
  const cuts = fc.array(fc.string({ maxLength: 4 }), { maxLength: 6 });
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), cuts, cuts, (text, one, other) => {
      const cut = (sizes: readonly string[]): string[] => {
        let left = text;
        const parts = sizes.map(({ length }) => {
          const part = left.slice(0, length);
          left = left.slice(length);
          return part;
        });
        return [...parts, left];
      };
      const pieces = overlay(
        cut(one).map((part) => ({ text: part })),
        cut(other).map((part, index) => ({ text: part, changed: index % 2 === 0 })),
      );
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    }),
  );
});

test('ten thousand lines are laid out within a tenth of a second', () => {
  const text = `--- a/x.ts\n+++ b/x.ts\n@@ -1,5000 +1,5000 @@\n${Array.from({ length: 5000 }, (_, index) => `-const a${index} = 1;\n`).join('')}${Array.from({ length: 5000 }, (_, index) => `+const a${index} = 2;\n`).join('')}`;
  const sections = readDiffText(text);
  const began = performance.now();
  expect(rowsOf(sections, layout('unified'))).toHaveLength(10_001);
  expect(performance.now() - began).toBeLessThan(100);
});
