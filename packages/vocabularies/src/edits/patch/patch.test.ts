import { describe, expect, test } from 'vitest';
import { formatPatch, parsePatch } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import { planPatch } from './plan-patch.js';
import { readPatch } from './read-patch.js';
import { applyHunks } from './edit-lines.js';

const FILE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

const patched = (text: string, patch: string): string => {
  const [operation] = readPatch(patch);
  if (operation === undefined || operation.kind === 'add') throw new Error('no update');
  const applied = applyHunks(text, operation.hunks);
  return applied.ok ? applied.text : `hunk ${String(applied.hunk)}: ${applied.why}`;
};
const FIVE = FILE.replace('five', 'FIVE');

describe('a patch of a model', () => {
  test.each([
    ['right', '--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n four\n-five\n+FIVE\n six\n'],
    ['with wrong counts', '--- a/f\n+++ b/f\n@@ -4,9 +4,1 @@\n four\n-five\n+FIVE\n six\n'],
    ['with a wrong line', '--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n four\n-five\n+FIVE\n six\n'],
    ['with a bare @@', '--- a/f\n+++ b/f\n@@\n four\n-five\n+FIVE\n six'],
    ['with @@ ... @@', '--- f\n+++ f\n@@ ... @@\n four\n-five\n+FIVE\n'],
    ['without @@', '--- a/f\n+++ b/f\n four\n-five\n+FIVE\n six'],
    ['in a fence', 'Here:\n```diff\n--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n four\n-five\n+FIVE\n six\n```\nDone.'],
    ['with lost blanks', '--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\nfour\n-five\n+FIVE\nsix\n'],
    ['of git', 'diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -5 +5 @@ four\n-five\n+FIVE\n'],
    ['in an envelope', '*** Begin Patch\n*** Update File: f\n@@\n four\n-five\n+FIVE\n*** End Patch'],
    [
      'in an envelope, with an anchor',
      '*** Begin Patch\n*** Update File: f\n@@ two\n-five\n+FIVE\n*** End of File\n*** End Patch'.replace('*** End of File\n', ''),
    ],
  ])('%s', (_title, patch) => {
    expect(patched(FILE, patch)).toBe(FIVE);
  });

  test('takes the place that an anchor names, and none without one', () => {
    const file = 'class A:\n    def f(self):\n        return 1\n\nclass B:\n    def f(self):\n        return 1\n';
    const hunk = '     def f(self):\n-        return 1\n+        return 2\n*** End Patch';
    const patch = `*** Begin Patch\n*** Update File: f\n@@ class B:\n${hunk}`;
    expect(patched(file, patch)).toBe(file.replace(/return 1\n$/, 'return 2\n'));
    expect(patched(file, `*** Begin Patch\n*** Update File: f\n@@\n${hunk}`)).toContain('it fits 2 places (lines 2, 6)');
    expect(patched(file.replace(/return 1\n$/, 'return 9\n'), patch)).toContain('not below "class B:"');
  });

  test('takes no number at its word where the lines fit twice', () => {
    const patch = '--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n a\n-x\n+y\n b\n';
    expect(patched('a\nx\nb\na\nx\nb\n', patch)).toContain('2 places (lines 1, 4); add lines around the change');
  });

  test('takes no place by brackets and comment signs whose indentation may be lost', () => {
    const text = '//\nf() {\n  one();\n  //\n}\n';
    expect(patched(text, '*** Begin Patch\n*** Update File: f\n@@\n+two();\n //\n*** End Patch')).toContain('add lines around the change');
    expect(patched(text, '*** Begin Patch\n*** Update File: f\n@@\n   //\n }\n+two();\n*** End Patch')).toBe(`${text}two();\n`);
  });

  test('keeps line ends and what stands at the end of the file', () => {
    const text = '\uFEFFone\r\ntwo\r\nthree';
    expect(patched(text, '--- a/f\n+++ b/f\n@@ @@\n one\n-two\n+2\n+2b\n')).toBe('\uFEFFone\r\n2\r\n2b\r\nthree');
    expect(patched(text, '--- a/f\n+++ b/f\n@@ @@\n two\n-three\n+3\n')).toBe('\uFEFFone\r\ntwo\r\n3');
    expect(patched(text, '--- a/f\n+++ b/f\n@@ @@\n-three\n\\ No newline at end of file\n+3\n')).toBe('\uFEFFone\r\ntwo\r\n3');
    expect(patched('a\n', '--- a/f\n+++ b/f\n@@ @@\n-a\n+b\n\\ No newline at end of file\n')).toBe('b');
    expect(patched('a', '--- a/f\n+++ b/f\n@@ @@\n a\n+b\n')).toBe('a\nb');
  });

  test('is tolerant of one change of indentation', () => {
    const text = 'f() {\n    one();\n    two();  \n}\n';
    expect(patched(text, '--- a/f\n+++ b/f\n@@ @@\n one();\n-two();\n+three();\n')).toBe('f() {\n    one();\n    three();\n}\n');
  });

  test(verifies('L3:patch-in-order', 'applies sections about one file in their order, as one change of it'), () => {
    const plan = (patch: string, files: Readonly<Record<string, string>>) => {
      const planned = planPatch(readPatch(`*** Begin Patch\n${patch}\n*** End Patch`), new Map(Object.entries(files)));
      expect(parsePatch(formatPatch(planned.patch))).toMatchObject(planned.patch);
      return planned.patch.map(({ kind, hunks }) => [
        kind,
        hunks.flatMap(({ lines }) => lines.filter(({ sign }) => sign !== ' ').map(({ sign, text }) => sign + text)).join(' '),
      ]);
    };
    const first = '*** Update File: f\n@@\n one\n-two\n+2\n+2b';
    expect(plan(`${first}\n*** Update File: f\n@@\n 2\n-2b\n+2c\n three`, { f: FILE })).toEqual([['modify', '-two +2 +2c']]);
    expect(plan(`${first}\n*** Update File: f\n*** Move to: g\n@@\n-six\n+6`, { f: FILE })).toEqual([['rename', '-two +2 +2b -six +6']]);
    expect(plan('*** Add File: n\n+a\n+b\n*** Update File: n\n@@\n-b\n+c', {})).toEqual([['create', '+a +c']]);
    expect(plan('*** Delete File: f\n*** Add File: f\n+new', { f: 'old\n' })).toEqual([['modify', '-old +new']]);
    expect(plan('*** Update File: f\n*** Move to: g\n@@\n-six\n+6\n*** Update File: g\n@@\n-one\n+1', { f: FILE })).toEqual([
      ['rename', '-one +1 -six +6'],
    ]);
    expect(() => plan(`${first}\n*** Update File: f\n@@\n-two\n+zwei`, { f: FILE })).toThrow('hunk 2 of f: its lines are not in the file');
    expect(() => plan(`*** Delete File: f\n${first}`, { f: FILE })).toThrow('it changes f, which it deletes or moves before');
    expect(() => plan(`${first}\n*** Update File: f\n@@\n one\n-2\n-2b\n+two`, { f: FILE })).toThrow('change nothing');
  });

  test('becomes a diff that the clients read', () => {
    const texts = new Map([
      ['f', FILE],
      ['old', 'x\ny'],
      ['gone', 'z\n'],
    ]);
    const patch =
      '*** Begin Patch\n*** Update File: f\n@@\n-one\n+ONE\n@@\n-seven\n+SEVEN\n*** Add File: new\n+a\n+b\n*** Delete File: gone\n*** Update File: old\n*** Move to: now\n@@\n-y\n+Y\n*** End Patch';
    const planned = planPatch(readPatch(patch), texts);
    expect(parsePatch(formatPatch(planned.patch))).toMatchObject(planned.patch);
    expect(planned.files.map(({ verb, path, added, deleted }) => `${verb} ${path} ${String(added)} ${String(deleted)}`)).toEqual([
      'Changed f 2 2',
      'Created new 2 0',
      'Deleted gone 0 1',
      'Moved old to now 1 1',
    ]);
  });
});
