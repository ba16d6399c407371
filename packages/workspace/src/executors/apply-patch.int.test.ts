import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { chmodSync, existsSync, readdirSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitIn, temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
  temporary.git('init', '-q');
  temporary.write('src/auth.js', 'one\ntwo\nthree\n');
  temporary.write('b.txt', 'b\n');
  temporary.git('add', '-A');
  temporary.git('commit', '-qm', 'x');
});
afterEach(() => temporary.remove());

const at = (path: string): string => join(temporary.root, path);
const patchOf = (path: string): string => `--- a/${path}\n+++ b/${path}\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n`;
const creating = (path: string): string => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+new\n`;
const apply = (diff: string, allowDirty?: boolean): ReturnType<TemporaryWorkspace['run']> =>
  temporary.run('apply_patch', allowDirty === undefined ? { diff } : { diff, allow_dirty: allowDirty });
const failure = (diff: string): Promise<string> => temporary.failure('apply_patch', { diff, allow_dirty: true });

test("a patch is applied, and the specification's shape says what changed", async () => {
  expect(await apply(`diff --git a/src/auth.js b/src/auth.js\nindex 1234567..abcdefg 100644\n${patchOf('src/auth.js')}`)).toEqual({
    success: true,
    files_modified: ['src/auth.js'],
  });
  expect(temporary.read('src/auth.js')).toBe('one\nzwei\nthree\n');
});

test('creations, deletions, renames, copies and modes are carried out; directories come and go as in git', async () => {
  const diff =
    creating('new/deep/a.txt') +
    'diff --git a/run.sh b/run.sh\nnew file mode 100755\n--- /dev/null\n+++ b/run.sh\n@@ -0,0 +1 @@\n+#!/bin/sh\n' +
    'diff --git a/src/auth.js b/lib/auth.js\nsimilarity index 60%\nrename from src/auth.js\nrename to lib/auth.js\n--- a/src/auth.js\n+++ b/lib/auth.js\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n' +
    'diff --git a/b.txt b/c.txt\nsimilarity index 100%\ncopy from b.txt\ncopy to c.txt\n' +
    'diff --git a/b.txt b/b.txt\nold mode 100644\nnew mode 100755\n';
  expect(await apply(diff)).toEqual({
    success: true,
    files_modified: ['new/deep/a.txt', 'run.sh', 'src/auth.js', 'lib/auth.js', 'b.txt', 'c.txt'],
  });
  expect(temporary.snapshot()).toEqual({
    'new/deep/a.txt': 'new\n',
    'run.sh': '#!/bin/sh\n',
    'lib/auth.js': 'one\nzwei\nthree\n',
    'b.txt': 'b\n',
    'c.txt': 'b\n',
  });
  expect(existsSync(at('src'))).toBe(false);
  expect([statSync(at('run.sh')).mode & 0o100, statSync(at('b.txt')).mode & 0o100, statSync(at('c.txt')).mode & 0o100]).toEqual([
    0o100, 0o100, 0,
  ]);
  expect(
    await apply('diff --git a/b.txt b/b.txt\ndeleted file mode 100755\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n', true),
  ).toMatchObject({ success: true });
  expect(existsSync(at('b.txt'))).toBe(false);
});

test('two files can change names with each other', async () => {
  const swap = (from: string, to: string): string =>
    `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`;
  await apply(swap('b.txt', 'src/auth.js') + swap('src/auth.js', 'b.txt'));
  expect(temporary.snapshot()).toEqual({ 'src/auth.js': 'b\n', 'b.txt': 'one\ntwo\nthree\n' });
});

test('what is replaced keeps its mode, and nothing is left beside it', async () => {
  chmodSync(at('src/auth.js'), 0o640);
  await apply(patchOf('src/auth.js'));
  expect(statSync(at('src/auth.js')).mode & 0o777).toBe(0o640);
  expect(readdirSync(at('src'))).toEqual(['auth.js']);
});

describe('a work tree that is not clean', () => {
  test.each([
    ['an unstaged change', () => temporary.write('b.txt', 'c\n')],
    ['a staged change', () => (temporary.write('b.txt', 'c\n'), temporary.git('add', '-A'))],
    ['a file that was removed', () => rmSync(at('b.txt'))],
    ['a new file in the index', () => (temporary.write('new', 'c\n'), temporary.git('add', 'new'))],
  ])('%s is refused by default', async (_name, dirty) => {
    dirty();
    expect(await temporary.failure('apply_patch', { diff: patchOf('src/auth.js') })).toMatch(
      /^PATCH_APPLY_FAILED: The work tree is not clean: (b\.txt|new)\. Commit or stash the changes, or pass allow_dirty: true\.$/,
    );
    expect(temporary.read('src/auth.js')).toBe('one\ntwo\nthree\n');
  });

  test('files that git does not know do no harm', async () => {
    temporary.write('untracked', 'x');
    expect(await apply(patchOf('src/auth.js'))).toMatchObject({ success: true });
  });

  test('allow_dirty applies to what is there, if it fits', async () => {
    temporary.write('src/auth.js', 'zero\none\ntwo\nthree\nfour\n');
    temporary.write('b.txt', 'c\n');
    const diff = '--- a/src/auth.js\n+++ b/src/auth.js\n@@ -2,3 +2,3 @@\n one\n-two\n+zwei\n three\n';
    expect(await apply(diff, true)).toMatchObject({ success: true });
    expect(temporary.read('src/auth.js')).toBe('zero\none\nzwei\nthree\nfour\n');
    expect(await apply(diff, true)).toBe('PATCH_APPLY_FAILED');
  });

  test('changes elsewhere in the repository are none of its business', async () => {
    rmSync(at('.git'), { recursive: true });
    gitIn(temporary.base, ['init', '-q']);
    gitIn(temporary.base, ['add', '-A']);
    gitIn(temporary.base, ['commit', '-qm', 'x']);
    writeFileSync(join(temporary.outside, 'secret.txt'), 'changed');
    expect(await apply(patchOf('src/auth.js'))).toMatchObject({ success: true });
  });

  test('without a repository it needs allow_dirty', async () => {
    rmSync(at('.git'), { recursive: true });
    expect(await apply(patchOf('src/auth.js'))).toBe('GIT_NOT_INITIALIZED');
    expect(await apply(patchOf('src/auth.js'), true)).toMatchObject({ success: true });
  });
});

describe(verifies('W2:patch-all-or-nothing', 'a patch that fails in one file changes none'), () => {
  test.each([
    [
      'context that is not there',
      patchOf('b.txt'),
      'PATCH_APPLY_FAILED: b.txt: hunk 1 does not fit: line 1 should be "one\\n" and is "b\\n"; nothing was changed.',
    ],
    ['a file that is missing', patchOf('missing'), 'PATCH_APPLY_FAILED: missing does not exist; nothing was changed.'],
    ['a file that is to be made and exists', creating('b.txt'), 'PATCH_APPLY_FAILED: b.txt exists already'],
    [
      'a rename onto a file',
      'diff --git a/src/auth.js b/b.txt\nrename from src/auth.js\nrename to b.txt\n',
      'PATCH_APPLY_FAILED: b.txt exists already',
    ],
    ['a deletion of other content', '--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-c\n', 'PATCH_APPLY_FAILED'],
    ['a deletion of a part', '--- a/src/auth.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n', 'PATCH_APPLY_FAILED'],
    ['a directory', patchOf('src'), 'INVALID_PATH: src is a directory'],
    ['a file below a file', creating('b.txt/x'), 'INVALID_PATH'],
    ['a binary file', patchOf('binary'), 'ENCODING_ERROR'],
    ['a binary patch', 'diff --git a/b.txt b/b.txt\nGIT binary patch\n', 'PATCH_APPLY_FAILED: The diff cannot be read: line 2'],
    [
      'too many files',
      Array.from({ length: 257 }, (_, index) => creating(`f${String(index)}`)).join(''),
      'PATCH_APPLY_FAILED: The patch touches more than 256 files',
    ],
  ])('%s', async (_name, second, message) => {
    temporary.write('binary', Buffer.from([0, 1]));
    const before = temporary.snapshot();
    expect(await failure(second)).toContain(message);
    expect(await failure(patchOf('src/auth.js') + creating('new/x') + second)).not.toContain('succeeded');
    expect(temporary.snapshot()).toEqual(before);
    expect(existsSync(at('new'))).toBe(false);
  });

  test('nor one whose files are no longer those that were approved', async () => {
    temporary.write('other', 'a\n');
    const diff = `${patchOf('src/auth.js')}--- a/other\n+++ b/other\n@@ -1 +1 @@\n-a\n+b\n`;
    const { operands } = await temporary.workspace.preview('apply_patch', { diff, allow_dirty: true });
    const before = temporary.snapshot();
    const fewer = await temporary.run('apply_patch', { diff: patchOf('src/auth.js'), allow_dirty: true }, { operands });
    expect(fewer).toBe('APPROVAL_MISMATCH');
    expect(temporary.snapshot()).toEqual(before);
  });

  test('no patch at all', async () => {
    expect(await failure('hello')).toContain('PATCH_APPLY_FAILED: The diff cannot be read: line 1 of the diff');
  });

  test('5 MB are read, more is not', async () => {
    expect(await failure('x'.repeat(5 * 1024 * 1024 + 1))).toBe('FILE_TOO_LARGE: The diff has 5242881 bytes; at most 5242880 are allowed.');
  });
});

describe(verifies('W1:patch', 'a patch reaches nothing outside the workspace, and nothing through a link'), () => {
  test.each([
    ['above', patchOf('../outside/secret.txt')],
    ['above, made', creating('../outside/x')],
    ['absolute', '--- /etc/hosts\n+++ /etc/hosts\n@@ -1 +1 @@\n-a\n+b\n'],
    ['by a rename', 'diff --git a/b.txt b/x\nrename from b.txt\nrename to ../outside/b.txt\n'],
    ['by a quoted name', 'diff --git "a/\\056\\056/x" "b/\\056\\056/x"\nnew file mode 100644\n'],
    ['from outside', 'diff --git a/x b/x\ncopy from ../outside/secret.txt\ncopy to x\n'],
  ])('%s', async (_name, diff) => {
    expect(await apply(diff, true)).toBe('PATH_OUTSIDE_WORKSPACE');
    expect(temporary.snapshot(temporary.outside)).toEqual({ 'secret.txt': 'SECRET' });
  });

  test('links, wherever they lead', async () => {
    symlinkSync(temporary.outside, at('out'));
    symlinkSync('src', at('inside'));
    symlinkSync('src/auth.js', at('leaf'));
    symlinkSync('missing', at('dangling'));
    for (const diff of [creating('out/x'), patchOf('out/secret.txt'), creating('out/new/x')])
      expect([diff.split('\n')[1], await apply(diff, true)]).toEqual([diff.split('\n')[1], 'PATH_OUTSIDE_WORKSPACE']);
    for (const diff of [patchOf('inside/auth.js'), patchOf('leaf'), creating('leaf'), creating('dangling'), creating('dangling/x')])
      expect([diff.split('\n')[1], await apply(diff, true)]).toEqual([diff.split('\n')[1], 'INVALID_PATH']);
    expect(readlinkSync(at('leaf'))).toBe('src/auth.js');
    expect(temporary.snapshot(temporary.outside)).toEqual({ 'secret.txt': 'SECRET' });
    expect(temporary.read('src/auth.js')).toBe('one\ntwo\nthree\n');
  });
});

test('a preview shows what would happen, from the files themselves, with every file that it touches', async () => {
  const diff = `Looks harmless.\n${patchOf('src/auth.js')}diff --git a/b.txt b/c.txt\nrename from b.txt\nrename to c.txt\n`;
  const { preview, operands } = await temporary.workspace.preview('apply_patch', { diff });
  expect(preview.text).toBe(
    `diff --git a/src/auth.js b/src/auth.js\n${patchOf('src/auth.js')}` +
      'diff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n' +
      'diff --git a/c.txt b/c.txt\nnew file mode 100644\n--- /dev/null\n+++ b/c.txt\n@@ -0,0 +1 @@\n+b\n',
  );
  expect(operands.map(({ path, sha256 }) => [path, sha256.length])).toEqual([
    ['src/auth.js', 64],
    ['b.txt', 64],
    ['c.txt', 0],
  ]);
  expect(await temporary.run('apply_patch', { diff }, { operands })).toMatchObject({ success: true });
});

test('an approval of a copy is one of the file that is copied, too', async () => {
  const diff = 'diff --git a/b.txt b/c.txt\nsimilarity index 100%\ncopy from b.txt\ncopy to c.txt\n';
  const { operands } = await temporary.workspace.preview('apply_patch', { diff });
  expect(operands.map(({ path }) => path)).toEqual(['c.txt', 'b.txt']);
  temporary.write('b.txt', 'other\n');
  expect(await temporary.run('apply_patch', { diff, allow_dirty: true }, { operands })).toBe('APPROVAL_MISMATCH');
  expect(existsSync(at('c.txt'))).toBe(false);
});

test('CRLF survives', async () => {
  temporary.write('crlf.txt', 'one\r\ntwo\r\nthree\r\n');
  await apply(patchOf('crlf.txt'), true);
  expect(temporary.read('crlf.txt')).toBe('one\r\nzwei\r\nthree\r\n');
});
