import { expect, test } from 'vitest';
import fc from 'fast-check';
import { diffAroundMasks } from './diff-around-masks.js';

const MASK = 'token = [secret github-token 0123456789ab]';
const HEAD = 'diff --git a/f b/f\n--- a/f\n+++ b/f\n';

test('lines with masks are no part of a hunk', () => {
  expect(diffAroundMasks('f', `a\n${MASK}\nb\nc\n`, `a\n${MASK}\nx\nc\n`)).toBe(`${HEAD}@@ -3,2 +3,2 @@\n-b\n+x\n c\n`);
  expect(diffAroundMasks('f', `a\n${MASK}\nb`, `a\nx\n${MASK}\ny`)).toBe(
    `${HEAD}@@ -1 +1,2 @@\n a\n+x\n@@ -3 +4 @@\n-b\n\\ No newline at end of file\n+y\n\\ No newline at end of file\n`,
  );
});

test('a change of a line with a mask, or one that fits in several places, is none', () => {
  expect(diffAroundMasks('f', `${MASK}\na\n`, `x\na\n`)).toBeUndefined();
  expect(diffAroundMasks('f', `${MASK}\na\n`, `${MASK} \na\n`)).toBeUndefined();
  expect(diffAroundMasks('f', `b\n${MASK}\nb\n${MASK}\n`, `x\n${MASK}\nb\n${MASK}\n`)).toBeUndefined();
  expect(diffAroundMasks('f', `b\n${MASK}\n`, `b\n${MASK}\n`)).toBeUndefined();
});

test('whatever changes, no hunk holds a mask', () => {
  const line = fc.constantFrom('a', 'b', 'c', MASK);
  fc.assert(
    fc.property(fc.array(line), fc.array(line), (before, after) => {
      const diff = diffAroundMasks('f', before.join('\n'), after.join('\n'));
      expect(diff ?? '').not.toContain('[secret');
    }),
  );
});
