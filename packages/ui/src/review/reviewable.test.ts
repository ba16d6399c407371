import { expect, test } from 'vitest';
import { applyHunks, parsePatch, type ReviewPart } from '@codelab/tools/patch';
import { verifies } from '@codelab/testkit';
import { reviewableOf, type CommentedPart, type ReviewOutcome } from './reviewable.js';

const OLD = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n';
const DIFF = 'diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n a\n-b\n+B\n c\n d\n@@ -7,4 +7,5 @@\n g\n h\n+H\n i\n j\n';
const NEW = 'a\nB\nc\nd\ne\nf\ng\nh\nH\ni\nj\n';

const PATCH = { toolName: 'apply_patch', args: JSON.stringify({ diff: DIFF, allow_dirty: true }) };
const WRITE = {
  toolName: 'write_file',
  args: JSON.stringify({ path: 'f', content: NEW, expected_sha256: 'x' }),
  preview: { kind: 'diff' as const, text: DIFF },
};

function decide(call: Parameters<typeof reviewableOf>[0], verdicts: readonly ReviewPart['verdict'][], comment = ''): ReviewOutcome {
  const reviewable = reviewableOf(call);
  if (reviewable.kind !== 'hunks') throw new Error(reviewable.why);
  return reviewable.conclude(
    reviewable.parts.map((part, index): CommentedPart => ({
      part: { ...part, verdict: verdicts[index]! },
      comment: index === 0 ? comment : '',
    })),
  );
}

test(
  verifies(
    'H2:review-outcome',
    'a review approves what is kept whole, edits the arguments to what is kept in part, and rejects what is not kept',
  ),
  () => {
    expect(decide(PATCH, ['keep', 'keep'])).toEqual({ decision: 'approve', feedback: undefined });
    expect(decide(WRITE, ['keep', 'keep'])).toEqual({ decision: 'approve', feedback: undefined });
    const patched = decide(PATCH, ['keep', 'drop']) as Extract<ReviewOutcome, { decision: 'edit' }>;
    const { diff, ...others } = patched.modifiedArgs as { readonly diff: string };
    expect(others).toEqual({ allow_dirty: true });
    expect(applyHunks(OLD, parsePatch(diff)[0]!.hunks)).toEqual({ ok: true, content: OLD.replace('b', 'B') });
    expect(decide(WRITE, ['drop', 'keep'])).toMatchObject({
      decision: 'edit',
      modifiedArgs: { path: 'f', content: OLD.replace('h\n', 'h\nH\n'), expected_sha256: 'x' },
    });
    expect(decide({ ...WRITE, toolName: 'editor.write' }, ['drop', 'keep'])).toMatchObject({ decision: 'edit' });
    expect(decide(WRITE, ['drop', 'open'])).toMatchObject({ decision: 'reject' });
  },
);

test('what was said of a part is for the model, with its place', () => {
  expect(decide(PATCH, ['drop', 'keep'], 'Keep the old name.')).toMatchObject({
    feedback: 'The user reviewed the changes one by one:\n- f, lines 1–4: dropped. Keep the old name.',
  });
  expect(decide(PATCH, ['keep', 'keep'], 'Nice.')).toMatchObject({
    decision: 'approve',
    feedback: expect.stringContaining('kept. Nice.') as unknown,
  });
});

test.each([
  ['no preview', { ...WRITE, preview: undefined }, /isn’t known here/],
  ['a preview that was cut', { ...WRITE, preview: { kind: 'diff' as const, text: `${DIFF.slice(0, 40)}\n… 9 more` } }, /isn’t complete/],
  ['another content', { ...WRITE, args: JSON.stringify({ path: 'f', content: 'z' }) }, /another text/],
  ['a patch that can’t be read', { toolName: 'apply_patch', args: '{"diff":"no"}' }, /can’t be read/],
  ['another tool with a diff', { toolName: 'notebook.edit', args: '{}', preview: WRITE.preview }, /as a whole/],
])('parts can’t be chosen with %s, and it says why', (_, call, why) => {
  expect(reviewableOf(call)).toMatchObject({ kind: 'whole', why: expect.stringMatching(why) as unknown });
});
