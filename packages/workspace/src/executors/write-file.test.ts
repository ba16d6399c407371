import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const write = (path: string, content = 'new'): ReturnType<TemporaryWorkspace['run']> => temporary.run('write_file', { path, content });
const at = (path: string): string => join(temporary.root, path);
const link = (target: string, path: string): void => symlinkSync(target, at(path));
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test("a file is written with the directories that it needs, in the specification's shape; bytes are those of UTF-8", async () => {
  expect(await write('src/new/deep/a.js', 'Код')).toEqual({ success: true, bytes_written: 6 });
  expect(temporary.read('src/new/deep/a.js')).toBe('Код');
  expect(await write('src/new/deep/a.js', '')).toEqual({ success: true, bytes_written: 0 });
  expect(temporary.read('src/new/deep/a.js')).toBe('');
});

test(verifies('W2:mode-kept', 'a file that is replaced keeps its mode, and nothing stays beside it'), async () => {
  temporary.write('run.sh', 'old');
  chmodSync(at('run.sh'), 0o750);
  await write('run.sh');
  expect(statSync(at('run.sh')).mode & 0o7777).toBe(0o750);
  expect(readdirSync(temporary.root)).toEqual(['run.sh']);
  await write('plain');
  expect(statSync(at('plain')).mode & 0o7777).toBe(0o666 & ~process.umask());
});

test(verifies('W2:replaced-not-rewritten', 'who has the old file open goes on seeing the old content'), async () => {
  temporary.write('a', 'old');
  const before = statSync(at('a')).ino;
  await write('a');
  expect(statSync(at('a')).ino).not.toBe(before);
});

describe('limits', () => {
  test('1 MB is written, one byte more is not; bytes count, not characters', async () => {
    expect(await write('a', 'x'.repeat(1_048_576))).toMatchObject({ success: true });
    expect(await temporary.failure('write_file', { path: 'b', content: `${'ä'.repeat(524_288)}a` })).toBe(
      'FILE_TOO_LARGE: The content for b has 1048577 bytes; at most 1048576 are allowed.',
    );
    expect(existsSync(at('b'))).toBe(false);
  });

  test('a file too large to keep a copy of is not replaced', async () => {
    const file = openSync(at('huge'), 'w');
    ftruncateSync(file, 10 * 1024 ** 3);
    closeSync(file);
    expect(await write('huge')).toBe('FILE_TOO_LARGE');
    expect(statSync(at('huge')).size).toBe(10 * 1024 ** 3);
  });

  test('a lone surrogate has no bytes', async () => expect(await write('a', '\ud800')).toBe('ENCODING_ERROR'));
});

describe('expected_sha256', () => {
  const writeIf = (expected: string): ReturnType<TemporaryWorkspace['run']> =>
    temporary.run('write_file', { path: 'a', content: 'new', expected_sha256: expected });

  test('what is there must be what was expected', async () => {
    temporary.write('a', 'old');
    expect(await writeIf(sha256('other'))).toBe('CONFLICT');
    expect(await writeIf('')).toBe('CONFLICT');
    expect(temporary.read('a')).toBe('old');
    expect(await writeIf(sha256('old'))).toMatchObject({ success: true });
  });

  test('nothing can be expected too', async () => {
    expect(await writeIf(sha256('old'))).toBe('CONFLICT');
    expect(await writeIf('')).toMatchObject({ success: true });
  });
});

describe.each(['descriptor', 'path'] as const)(
  verifies('W1:write-links', 'held by %s: nothing is written to a link, or through one that leads outside, to nothing or round'),
  (anchoring) => {
    beforeEach(async () => {
      temporary.remove();
      temporary = await temporaryWorkspace({ anchoring });
      temporary.write('src/a.txt', 'A');
    });

    test('a leaf is refused wherever it leads, and stays what it was', async () => {
      for (const [name, target] of [
        ['inside', 'src/a.txt'],
        ['outside', join(temporary.outside, 'secret.txt')],
        ['dangling', 'missing'],
        ['danglingOutside', join(temporary.outside, 'made.txt')],
        ['directory', 'src'],
        ['loop', 'loop'],
      ] as const) {
        link(target, name);
        expect([name, await write(name)]).toEqual([name, 'INVALID_PATH']);
        expect(readlinkSync(at(name))).toBe(target);
      }
      expect(temporary.read('src/a.txt')).toBe('A');
      expect(temporary.snapshot(temporary.outside)).toEqual({ 'secret.txt': 'SECRET' });
    });

    test('a parent that stays inside is followed, to what exists there', async () => {
      link('src', 'l');
      expect(await write('l/a.txt')).toMatchObject({ success: true });
      expect(await write('l/new/b.txt')).toMatchObject({ success: true });
      expect(temporary.read('src/new/b.txt')).toBe('new');
    });

    test('a parent that leads outside, to nothing or round is not', async () => {
      link(temporary.outside, 'out');
      link('../ws-evil', 'sibling');
      link('missing', 'dangling');
      link('round', 'round');
      expect(await write('out/x')).toBe('PATH_OUTSIDE_WORKSPACE');
      expect(await write('out/new/x')).toBe('PATH_OUTSIDE_WORKSPACE');
      expect(await write('sibling/secret.txt')).toBe('PATH_OUTSIDE_WORKSPACE');
      expect(await write('dangling/x')).toBe('FILE_NOT_FOUND');
      expect(await write('dangling/deep/x')).toBe('FILE_NOT_FOUND');
      expect(await write('round/x')).toBe('INVALID_PATH');
      expect(existsSync(at('missing'))).toBe(false);
      expect(temporary.snapshot(temporary.outside)).toEqual({ 'secret.txt': 'SECRET' });
      expect(temporary.snapshot(join(temporary.base, 'ws-evil'))).toEqual({ 'secret.txt': 'SECRET' });
    });

    test('a name that asks for nothing does not lead to a file that always asks', async () => {
      mkdirSync(at('.git/hooks'), { recursive: true });
      link('.git', 'docs');
      expect(await temporary.failure('write_file', { path: 'docs/hooks/post-checkout', content: '' })).toContain(
        'INVALID_PATH: docs/hooks/post-checkout leads to .git/hooks/',
      );
      expect(await write('.git/hooks/post-checkout')).toMatchObject({ success: true });
    });

    test('directories that were made for a file that is not written are removed again', async () => {
      const controller = new AbortController();
      controller.abort();
      const options = { signal: controller.signal };
      expect(await temporary.run('write_file', { path: 'new/deep/a', content: '' }, options)).toBe('CANCELLED');
      expect(await write(`new/deep/${'x'.repeat(230)}${'ä'.repeat(13)}`)).toBe('INVALID_PATH');
      expect(existsSync(at('new'))).toBe(false);
    });
  },
);

test.each([
  ['src', 'INVALID_PATH: src is a directory'],
  ['.', 'INVALID_PATH'],
  ['src/a.txt/b', 'INVALID_PATH: A part of src/a.txt/b is a file'],
  ['../ws-evil/x', 'PATH_OUTSIDE_WORKSPACE'],
  ['/tmp/x', 'PATH_OUTSIDE_WORKSPACE'],
  ['a\0', 'INVALID_PATH'],
  ['x'.repeat(256), 'INVALID_PATH'],
])('%.30p cannot be written', async (path, message) => {
  temporary.write('src/a.txt', 'A');
  expect(await temporary.failure('write_file', { path, content: '' })).toContain(message);
  expect(temporary.snapshot()).toEqual({ 'src/a.txt': 'A' });
});

test("the client's own data are outside, even where they lie in the workspace", async () => {
  const inside = await temporaryWorkspace();
  const { findWorkspaceRoot } = await import('../files/paths/workspace-root.js');
  const { Workspace } = await import('../open-workspace.js');
  const dataDir = join(inside.root, '.local/state/codelab');
  const workspace = await Workspace.open(await findWorkspaceRoot(inside.root, dataDir), dataDir, {});
  const run = (tool: string, path: string): Promise<unknown> =>
    workspace.run(tool, { path, content: '' }, { signal: new AbortController().signal, callId: 'c' });
  expect(await run('write_file', '.local/state/codelab/journal')).toMatchObject({ error: { code: 'PATH_OUTSIDE_WORKSPACE' } });
  expect(await run('write_file', '.local/state/other')).toMatchObject({ ok: true });
  inside.remove();
});

describe(verifies('H2:operands', 'what is not what the approver was shown is not touched'), () => {
  const approved = async (): Promise<{ operands: { path: string; sha256: string }[]; text: string }> => {
    const { preview, operands } = await temporary.workspace.preview('write_file', { path: 'a', content: 'new\n' });
    return { operands: [...operands], text: preview.text };
  };
  const run = (operands: { path: string; sha256: string }[]): ReturnType<TemporaryWorkspace['run']> =>
    temporary.run('write_file', { path: 'a', content: 'new\n' }, { operands });

  test('a preview is a diff of the files themselves, with what they hold', async () => {
    temporary.write('a', 'old\n');
    expect(await approved()).toEqual({
      operands: [{ path: 'a', sha256: sha256('old\n') }],
      text: 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-old\n+new\n',
    });
    expect(temporary.read('a')).toBe('old\n');
  });

  test('unchanged: it is written', async () => {
    temporary.write('a', 'old\n');
    expect(await run((await approved()).operands)).toMatchObject({ success: true });
  });

  test.each([
    ['changed', 'old', 'changed'],
    ['created', undefined, 'created'],
    ['removed', 'old', undefined],
  ])('%s meanwhile: it is not', async (_name, before, now) => {
    if (before !== undefined) temporary.write('a', before);
    const { operands } = await approved();
    if (now === undefined) (await import('node:fs')).rmSync(at('a'));
    else temporary.write('a', now);
    expect(await run(operands)).toBe('APPROVAL_MISMATCH');
    expect(existsSync(at('a')) ? temporary.read('a') : undefined).toBe(now);
  });

  test('an approval of another file, or of more files, is none', async () => {
    temporary.write('a', 'old');
    expect(await run([])).toBe('APPROVAL_MISMATCH');
    expect(await run([{ path: 'b', sha256: '' }])).toBe('APPROVAL_MISMATCH');
    expect(
      await run([
        { path: 'a', sha256: sha256('old') },
        { path: 'b', sha256: '' },
      ]),
    ).toBe('APPROVAL_MISMATCH');
    expect(temporary.read('a')).toBe('old');
  });

  test('of a call that would fail, the failure is shown', async () => {
    const { preview, operands, fault } = await temporary.workspace.preview('write_file', { path: '../a', content: '' });
    expect(fault).toMatchObject({ code: 'PATH_OUTSIDE_WORKSPACE' });
    expect(preview).toEqual({ kind: 'text', text: expect.stringContaining('would fail. Error [PATH_OUTSIDE_WORKSPACE]') });
    expect(operands).toEqual([]);
  });

  test('a binary file is named, not printed', async () => {
    temporary.write('a', Buffer.from([0, 1, 2]));
    expect((await approved()).text).toBe('a: 3 bytes that are not text become 4 bytes\n');
  });
});

test(verifies('L3:x2', 'with "none" a file is written only where there is none'), async () => {
  const args = { path: 'dir/a', content: 'one', expected_sha256: 'none' };
  expect(await temporary.run('write_file', args)).toMatchObject({ success: true });
  expect(await temporary.run('write_file', { ...args, content: 'two' })).toBe('CONFLICT');
  expect(temporary.read('dir/a')).toBe('one');
  const both = ['left', 'right'].map((content) => temporary.run('write_file', { path: 'b', content, expected_sha256: 'none' }));
  expect((await Promise.all(both)).filter((answer) => answer === 'CONFLICT')).toHaveLength(1);
  link('nowhere', 'dangling');
  expect(await temporary.run('write_file', { ...args, path: 'dangling' })).toBe('INVALID_PATH');
});
