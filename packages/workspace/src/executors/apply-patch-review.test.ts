import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ToolErrorCode } from '@codelab/protocol';
import { formatPatch, listChunks, parsePatch, type JsonObject } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitIn, temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';
import { applyHunks, filterPatch, type Review } from '@codelab/tools/patch';
import type { Ask } from '../ask.js';
import { ToolFailure } from '../tool-failure.js';

let temporary: TemporaryWorkspace | undefined;
afterEach(() => temporary?.remove());

const DIFF =
  'diff --git a/a b/a\n--- a/a\n+++ b/a\n' +
  '@@ -1,3 +1,4 @@\n line 1\n+new 1\n line 2\n line 3\n' +
  '@@ -10,3 +11,2 @@\n line 10\n-line 11\n line 12\n' +
  '@@ -20,3 +20,3 @@\n line 20\n-line 21\n+LINE 21\n line 22\n' +
  'diff --git a/made b/made\nnew file mode 100644\n--- /dev/null\n+++ b/made\n@@ -0,0 +1 @@\n+made\n' +
  'diff --git a/from b/to\nsimilarity index 100%\nrename from from\nrename to to\n';

const review = async (answer: Review | Error, diff = DIFF, message?: string): Promise<JsonObject | ToolErrorCode> => {
  const reviewPatch = vi.fn<Ask['reviewPatch']>(() => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)));
  temporary = await temporaryWorkspace({ ask: { promptUser: () => Promise.reject(new Error('not asked')), reviewPatch } });
  const result = await temporary.run('apply_patch_review', message === undefined ? { diff } : { diff, message });
  if (reviewPatch.mock.calls.length > 0) expect(reviewPatch).toHaveBeenCalledWith(parsePatch(diff), message, expect.anything());
  return result;
};

test(
  verifies('H3:review-told', 'the model is told which chunks were kept, dropped and edited, in the shape of the specification'),
  async () => {
    expect(await review({ action: 'apply', chunks: [4, 3, 1] }, DIFF, 'Review')).toEqual({
      filtered_diff:
        'diff --git a/a b/a\n--- a/a\n+++ b/a\n' +
        '@@ -1,3 +1,4 @@\n line 1\n+new 1\n line 2\n line 3\n' +
        '@@ -20,3 +21,3 @@\n line 20\n-line 21\n+LINE 21\n line 22\n' +
        'diff --git a/made b/made\nnew file mode 100644\n--- /dev/null\n+++ b/made\n@@ -0,0 +1 @@\n+made\n',
      action: 'apply',
      chunks_selected: [1, 3, 4],
      chunks_total: 5,
      chunks_dropped: [2, 5],
    });
  },
);

test('a cancelled review keeps nothing', async () => {
  expect(await review({ action: 'cancel', chunks: [1, 2] })).toEqual({
    filtered_diff: '',
    action: 'cancel',
    chunks_selected: [],
    chunks_total: 5,
  });
});

test('nothing kept is not a cancellation', async () => {
  expect(await review({ action: 'apply', chunks: [] })).toEqual({
    filtered_diff: '',
    action: 'apply',
    chunks_selected: [],
    chunks_total: 5,
    chunks_dropped: [1, 2, 3, 4, 5],
  });
});

test('a file without hunks is a chunk of its own', async () => {
  expect(await review({ action: 'apply', chunks: [5] })).toMatchObject({
    filtered_diff: 'diff --git a/from b/to\nrename from from\nrename to to\n',
  });
});

describe('edited chunks', () => {
  const edited = (chunk: number, lines: readonly [' ' | '+' | '-', string][]): Review => ({
    action: 'apply',
    chunks: [3],
    editedChunks: [{ chunk, lines: lines.map(([sign, text]) => ({ sign, text })) }],
  });

  test('are counted anew, and named', async () => {
    const lines: [' ' | '+' | '-', string][] = [
      [' ', 'line 20'],
      ['-', 'line 21'],
      ['+', 'x'],
      ['+', 'y'],
      [' ', 'line 22'],
    ];
    expect(await review(edited(3, lines))).toMatchObject({
      filtered_diff: 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -20,3 +20,4 @@\n line 20\n-line 21\n+x\n+y\n line 22\n',
      chunks_edited: [3],
    });
  });

  test('whose changes are all edited away leave nothing of the file', async () => {
    const lines: [' ' | '+' | '-', string][] = [
      [' ', 'line 20'],
      [' ', 'line 21'],
      [' ', 'line 22'],
    ];
    expect(await review(edited(3, lines))).toMatchObject({ filtered_diff: '', action: 'apply', chunks_selected: [3], chunks_edited: [3] });
  });

  test.each([
    [
      'another old side',
      edited(3, [
        [' ', 'line 20'],
        [' ', 'line 22'],
      ]),
    ],
    ['a chunk that was not chosen', edited(1, [])],
    ['a chunk that is not there', { action: 'apply', chunks: [6] } as const],
    ['half a chunk', { action: 'apply', chunks: [1.5] } as const],
  ])('%s is no answer', async (_name, answer) => expect(await review(answer)).toBe('INVALID_ARGUMENTS'));
});

test('a patch with a hunk that cannot be read is not shown: what is not shown would be lost', async () =>
  expect(await review({ action: 'apply', chunks: [1] }, DIFF.replace('@@ -10,3 +11,2 @@', '@@'))).toBe('PATCH_APPLY_FAILED'));

test('what is no patch is not shown', async () =>
  expect(await review({ action: 'apply', chunks: [] }, 'diff --git...')).toBe('PATCH_APPLY_FAILED'));
test('a refusal of the human is the answer', async () => {
  expect(await review(new ToolFailure('DENIED_BY_USER', 'no'))).toBe('DENIED_BY_USER');
});

test('without a human nobody chooses', async () => {
  temporary = await temporaryWorkspace();
  expect(await temporary.run('apply_patch_review', { diff: DIFF })).toBe('DENIED_BY_POLICY');
  expect(await temporary.run('prompt_user', { message: 'x', actions: ['a'] })).toBe('DENIED_BY_POLICY');
});

test(
  verifies('H1:review-applies-cleanly', 'whatever chunks are chosen, git and our applier take the result, to the same effect'),
  async () => {
    temporary = await temporaryWorkspace();
    const { root } = temporary;
    gitIn(root, ['init', '-q']);
    const word = fc.constantFrom('a', 'b', 'c', 'x', '');
    const edits = fc.array(fc.record({ at: fc.nat(60), remove: fc.nat(3), insert: fc.array(word, { maxLength: 3 }) }), {
      minLength: 2,
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(word, { minLength: 20, maxLength: 60 }), edits, fc.infiniteStream(fc.boolean()), (lines, changes, choice) => {
        const after = changes.reduce((text, { at, remove, insert }) => text.toSpliced(at, remove, ...insert), lines);
        const before = `${lines.join('\n')}\n`;
        writeFileSync(join(root, 'x'), before);
        writeFileSync(join(root, 'y'), `${after.join('\n')}\n`);
        const diff = diffOf(root);
        fc.pre(diff !== '');
        const patch = parsePatch(diff);
        const chunks = listChunks(patch)
          .map(({ number }) => number)
          .filter(() => choice.next().value);
        const filtered = formatPatch(filterPatch(patch, { action: 'apply', chunks }));
        if (filtered === '') return;
        gitIn(root, ['apply', '--check', '-'], filtered);
        gitIn(root, ['apply', '-'], filtered);
        expect(applyHunks(before, parsePatch(filtered)[0]!.hunks)).toEqual({ ok: true, content: readFileSync(join(root, 'x'), 'utf8') });
      }),
      { numRuns: 60 },
    );
  },
);

const diffOf = (root: string): string => {
  try {
    return gitIn(root, ['diff', '--no-index', 'x', 'y']);
  } catch (error) {
    return (error as { stdout: string }).stdout.replaceAll('b/y', 'b/x');
  }
};
