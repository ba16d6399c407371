import { expect, test } from 'vitest';
import { sumUpPatch as sumUp } from '@codelab/tools';
import type { Line } from '../text/span.js';
import { renderDiff } from './render-diff.js';
import { readDiff } from '@codelab/tools/patch';

const show = (lines: readonly Line[]): string[] =>
  lines.map((line) =>
    line
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );

const DIFF = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -9,3 +9,4 @@
 keep
-const one = 1;
+const one = 2;
+const two = 2;
 end
diff --git a/new.ts b/new.ts
new file mode 100755
--- /dev/null
+++ b/new.ts
@@ -0,0 +1 @@
+first
\\ No newline at end of file
`;

test('a diff has files, line numbers of both sides, and says what happens to each file', () => {
  expect(show(renderDiff(DIFF, 60))).toEqual([
    'src/a.ts  +2 −1',
    ' 9  9   keep',
    '10    − const one = 1;',
    '   10 + const one = 2;',
    '   11 + const two = 2;',
    '11 12   end',
    '',
    'new.ts  new file  mode 100755  +1 −0',
    '    1 + first (no newline at the end)',
  ]);
});

test('the words that differ are marked, where a line became another one', () => {
  const [, removed, added] = renderDiff(DIFF.replace('+const two = 2;\n', '').replace('+9,4', '+9,3'), 60).slice(1);
  expect(removed!.filter(({ style }) => style?.underline).map(({ text }) => text)).toEqual(['1']);
  expect(added!.filter(({ style }) => style?.underline).map(({ text }) => text)).toEqual(['2']);
});

test('a long line goes on below itself, beside its number', () => {
  const rows = show(renderDiff(`--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+${'word '.repeat(6)}\n`, 24));
  expect(rows.slice(2)).toEqual(['    1 + word word word w', '        ord word word']);
});

test('what the parser that applies patches refuses is shown as it is, not as something else', () => {
  const broken = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n';
  expect(readDiff(broken)).toBeUndefined();
  expect(show(renderDiff(broken, 60))).toEqual(broken.trimEnd().split('\n'));
});

test('a diff is summed up', () => {
  expect(sumUp(DIFF)).toEqual({ files: ['src/a.ts', 'new.ts'], added: 3, removed: 1 });
  expect(sumUp('')).toEqual({ files: [], added: 0, removed: 0 });
  expect(sumUp('nonsense')).toBeUndefined();
});
