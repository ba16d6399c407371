import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitIn, temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
let twin: string;
beforeAll(async () => {
  temporary = await temporaryWorkspace();
  twin = join(temporary.base, 'twin');
});
afterAll(() => temporary.remove());

type Tree = Readonly<Record<string, string>>;

const NAMES = ['a', 'b', 'dir/c', 'dir/d e', 'dir/sub/ü', '"q"', '-x'];
const content = fc
  .tuple(fc.array(fc.constantFrom('one', 'two', 'three', '', '\tx', 'CR\r'), { maxLength: 30 }), fc.boolean())
  .map(([lines, ended]) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''));
const tree = fc.dictionary(fc.constantFrom(...NAMES), content, { maxKeys: 5 });

/** The tree after a few things that people do: change, remove, add, move. */
const change = fc.record({
  name: fc.constantFrom(...NAMES),
  to: fc.constantFrom(...NAMES),
  content,
  kind: fc.constantFrom('write', 'remove', 'move', 'append'),
});
const changed = (before: Tree, changes: readonly { name: string; to: string; content: string; kind: string }[]): Tree => {
  const files: Record<string, string> = { ...before };
  for (const { name, to, content: text, kind } of changes) {
    const old = files[name];
    if (kind === 'write') files[name] = text;
    else if (kind === 'append' && old !== undefined) files[name] = `${old}more\n`;
    else if (old !== undefined) delete files[name];
    if (kind === 'move' && old !== undefined) files[to] = old;
  }
  return files;
};

const fill = (root: string, files: Tree): void => {
  for (const name of readdirSync(root)) if (name !== '.git') rmSync(join(root, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
};

test(verifies('W2:patch-round-trip', 'the diff of two trees turns the one into the other, as git apply does'), async () => {
  temporary.git('init', '-q');
  temporary.git('config', 'core.autocrlf', 'false');
  const options = fc.subarray(['-M20%', '-C', '--no-renames', '--find-copies-harder', '-U1', '--no-prefix', '--full-index']);
  await fc.assert(
    fc.asyncProperty(tree, fc.array(change, { minLength: 1, maxLength: 5 }), options, async (before, changes, flags) => {
      const after = changed(before, changes);
      fill(temporary.root, after);
      temporary.git('add', '-A');
      const newTree = temporary.git('write-tree').trim();
      fill(temporary.root, before);
      temporary.git('add', '-A');
      const diff = temporary.git('diff', '--cached', '-R', ...flags, newTree);
      if (diff === '') return;
      const answer = await temporary.run('apply_patch', { diff, allow_dirty: true });
      expect([answer, temporary.snapshot()]).toEqual([expect.objectContaining({ success: true }), asLatin1(after)]);
      if (flags.includes('--no-prefix')) return;
      mkdirSync(twin);
      fill(twin, before);
      gitIn(twin, ['apply', '--whitespace=nowarn', ...(flags.includes('-U1') ? ['--unidiff-zero'] : []), '-'], diff);
      expect(temporary.snapshot(twin)).toEqual(temporary.snapshot());
      rmSync(twin, { recursive: true });
    }),
    { numRuns: 25 },
  );
});

const asLatin1 = (files: Tree): Tree =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text).toString('latin1')]));
