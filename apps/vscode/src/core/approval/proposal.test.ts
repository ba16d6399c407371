import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { Proposal } from './proposal.js';

const before = Array.from({ length: 20 }, (_, index) => `line ${String(index + 1)}\n`).join('');
const after = before.replace('line 2\n', 'line two\nand a half\n').replace('line 18\n', '');
const diff = `--- a/a.txt
+++ b/a.txt
@@ -1,5 +1,6 @@
 line 1
-line 2
+line two
+and a half
 line 3
 line 4
 line 5
@@ -15,6 +16,5 @@
 line 15
 line 16
 line 17
-line 18
 line 19
 line 20
`;
const written = { callId: 'c1', toolName: 'write_file', args: { path: 'a.txt', content: after, expected_sha256: 'x' } };
const patched = { callId: 'c2', toolName: 'apply_patch', args: { diff, allow_dirty: true } };
const proposalOf = (request: typeof written | typeof patched): Proposal =>
  Proposal.of(request, { kind: 'diff', text: diff }, () => before)!;

test('a proposal shows the file as it would be, and where its hunks stand there', () => {
  const [file] = proposalOf(written).files();
  expect(file).toMatchObject({ path: 'a.txt', kind: 'modify', after });
  const lines = after.split('\n');
  expect(file!.hunks.map(({ line }) => lines[line])).toEqual(['line two', 'line 19']);
});

test(
  verifies('H2:dropped-hunks', 'what a human drops of a change is not among the arguments that are approved, and the model is told'),
  () => {
    const proposal = proposalOf(written);
    expect(proposal.answer()).toEqual({ decision: 'approve' });
    proposal.toggle(1);
    expect(proposal.files()[0]!.after).toBe(before.replace('line 18\n', ''));
    expect(proposal.answer()).toEqual({
      decision: 'edit',
      modifiedArgs: { path: 'a.txt', content: before.replace('line 18\n', ''), expected_sha256: 'x' },
      feedback: 'The user dropped hunk 1 of 2. What is left was written.',
    });
    const patch = proposalOf(patched);
    patch.toggle(2);
    const answer = patch.answer();
    expect(answer).toMatchObject({ decision: 'edit', modifiedArgs: { allow_dirty: true } });
    const left = Proposal.of(
      { ...patched, args: { ...(answer as unknown as { modifiedArgs: typeof patched.args }).modifiedArgs } },
      undefined,
      () => before,
    )!;
    expect(left.files()[0]!.after).toBe(before.replace('line 2\n', 'line two\nand a half\n'));
    proposal.toggle(2);
    expect(proposal.answer()).toMatchObject({ decision: 'reject' });
    proposal.keepAll();
    expect(proposal.answer()).toEqual({ decision: 'approve' });
  },
);

test('the hunk at the cursor is the one that it stands in, or the last above it', () => {
  const proposal = proposalOf(written);
  expect([0, 1, 2, 9, 17, 19].map((line) => proposal.hunkAt('a.txt', line)?.number)).toEqual([1, 1, 1, 1, 2, 2]);
});

test('a file that is made begins at its first line; a call that changes no text has no proposal', () => {
  const made = { callId: 'c3', toolName: 'write_file', args: { path: 'new.txt', content: 'x\ny\n' } };
  const text = 'diff --git a/new.txt b/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n';
  const proposal = Proposal.of(made, { kind: 'diff', text }, () => '')!;
  expect(proposal.files()).toEqual([
    { path: 'new.txt', kind: 'create', from: undefined, after: 'x\ny\n', hunks: [{ number: 1, line: 0, lines: 2, kept: true }] },
  ]);
  expect(Proposal.of({ callId: 'c', toolName: 'run_command', args: {} }, { kind: 'command', text: 'ls' }, () => '')).toBeUndefined();
  expect(Proposal.of(made, { kind: 'diff', text: 'written again with the same content\n' }, () => '')).toBeUndefined();
});
