import { expect, test } from 'vitest';
import fc from 'fast-check';
import { readDiffText } from './read-diff-text.js';

const CHANGE = 'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@ class A\n a\n-b\n+B\n';

const kinds = (text: string): readonly string[] => readDiffText(text).map(({ kind }) => kind);

test('a file that is not text is named, and the others beside it are read', () => {
  const binary = 'diff --git a/x.png b/x.png\nnew file mode 100644\nindex 000..111\nBinary files /dev/null and b/x.png differ\n';
  const sections = readDiffText(CHANGE + binary + CHANGE);
  expect(sections.map(({ kind }) => kind)).toEqual(['file', 'binary', 'file']);
  expect(sections[1]).toEqual({ kind: 'binary', path: 'x.png', change: 'created' });
});

test('words between files are kept', () => {
  const [first, words] = readDiffText(`${CHANGE}x.bin: 12 bytes that are not text become 14 bytes\n`);
  expect(first).toMatchObject({ kind: 'file', file: { path: 'a.ts', hunks: [{ section: 'class A' }] } });
  expect(words).toEqual({ kind: 'words', text: 'x.bin: 12 bytes that are not text become 14 bytes' });
});

test('a change that was cut says so, and shows what is left', () => {
  const cut = `${CHANGE}diff --git a/b.ts b/b.ts\n--- a/b.ts\n+++ b/b.ts\n@@ -1,5 +1,5 @@\n a\n-b\n\n… 300 more characters are not shown\n`;
  const sections = readDiffText(cut);
  expect(sections.map(({ kind }) => kind)).toEqual(['file', 'unreadable']);
  expect(sections[1]).toMatchObject({ path: 'b.ts', problem: expect.stringContaining('promises 5 old and 5 new lines') as unknown });
});

test('a text that is no diff is words', () => expect(kinds('src/a.ts: written again with the same content\n')).toEqual(['words']));

test('nothing of a text is lost, whatever it is', () => {
  const piece = fc.constantFrom(
    CHANGE,
    'words\n',
    '@@ -1 +1 @@\n',
    '-x\n',
    '--- a/x\n',
    'Binary files a/x and b/x differ\n',
    'diff --git a/y b/y\n',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('');
      const shown = JSON.stringify(readDiffText(text));
      if (text.includes('words')) expect(shown).toContain('words');
      if (text.includes('-x')) expect(shown).toContain('-x');
      expect(shown.split('"binary"').length - 1 <= text.split('Binary').length).toBe(true);
      expect(readDiffText(text).length === 0).toBe(text.trim() === '');
    }),
    { numRuns: 2_000 },
  );
});

test('the data of a binary patch is not shown, and what follows it is', () => {
  const patch =
    'diff --git a/x.png b/x.png\nindex 1..2\nGIT binary patch\nliteral 3\nKcmZQz00aO600RI\n\nliteral 0\nHcmV?d00001\n\nwords after\n';
  expect(readDiffText(patch)).toEqual([
    { kind: 'binary', path: 'x.png', change: 'changed' },
    { kind: 'words', text: 'words after' },
  ]);
});
