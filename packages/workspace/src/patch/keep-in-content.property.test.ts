import { expect, test } from 'vitest';
import {
  applyHunks,
  concludeReview,
  filterPatch,
  keepInContent,
  parsePatch,
  partsOfPatch,
  splitPart,
  type ReviewPart,
} from '@codelab/tools/patch';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import { previewChange } from './preview-change.js';

const word = fc.constantFrom('a', 'b', 'c', '', '+', '-x', 'x\r', '@@ -1 +1 @@', '\\ No newline at end of file');
const text = fc.tuple(fc.array(word, { maxLength: 40 }), fc.boolean()).map(([lines, ends]) => lines.join('\n') + (ends ? '\n' : ''));
const edits = fc.array(fc.record({ at: fc.nat(40), remove: fc.nat(3), insert: fc.array(word, { maxLength: 2 }) }), { maxLength: 5 });
const verdicts = fc.array(fc.constantFrom<'keep' | 'drop' | 'split'>('keep', 'drop', 'split'), { minLength: 30, maxLength: 30 });

const file = (content: string) => ({ content: Buffer.from(content), mode: 0o644 });

function review(parts: readonly ReviewPart[], acts: readonly ('keep' | 'drop' | 'split')[]): readonly ReviewPart[] {
  let all = parts;
  for (const [index, act] of acts.entries()) {
    if (index >= all.length) break;
    const split = act === 'split' ? splitPart(all, index) : undefined;
    if (split && 'parts' in split) all = split.parts;
    all = all.map((part, at) => (at === index ? { ...part, verdict: act === 'drop' ? 'drop' : 'keep' } : part));
  }
  return all;
}

test(
  verifies('H2:review-content', 'a new content with dropped hunks is the file as it is with the kept hunks applied, to the letter'),
  () => {
    fc.assert(
      fc.property(text, edits, verdicts, fc.boolean(), (before, changes, acts, isNew) => {
        const old = isNew ? '' : before;
        const after = changes.reduce((all, { at, remove, insert }) => all.toSpliced(at, remove, ...insert), before.split('\n')).join('\n');
        fc.pre(old !== after && after !== '');
        const path = toWorkspacePath('f.txt');
        const preview = previewChange({ path, before: isNew ? undefined : file(old), after: file(after) } as Parameters<
          typeof previewChange
        >[0]);
        const patch = parsePatch(preview.text);
        const parts = review(partsOfPatch(patch), acts);
        const concluded = concludeReview(parts);
        const [kept] = filterPatch(patch, concluded);
        const expected = kept === undefined ? old : applyHunks(old, kept.hunks);
        const left = keepInContent(after, patch[0]!, concluded);
        expect(left).toEqual({ ok: true, content: typeof expected === 'string' ? expected : (expected as { content: string }).content });
      }),
      { numRuns: 400 },
    );
  },
);

test('a content that the preview does not show is not guessed at', () => {
  const patch = parsePatch('--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n');
  expect(keepInContent('x\nB\n', patch[0]!, { action: 'apply', chunks: [] })).toMatchObject({ ok: false });
  expect(keepInContent('a\n', patch[0]!, { action: 'apply', chunks: [] })).toMatchObject({ ok: false });
  expect(keepInContent('a\nB\n', patch[0]!, { action: 'apply', chunks: [] })).toEqual({ ok: true, content: 'a\nb\n' });
});
